#!/usr/bin/env bash
# The package as somebody else gets it: packed, installed into an empty folder, its command run, the example app and one of its README synthesized there.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export PATH="$root/node_modules/.bin:$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A clone has no dist/: packing alone has to make it.
rm -rf dist
mkdir -p "$folder/neuron-execution-service/examples"
npm pack --silent --pack-destination "$folder/neuron-execution-service" >/dev/null
cp -r examples/cdk "$folder/neuron-execution-service/examples/"
cd "$folder/neuron-execution-service/examples/cdk"
# The CDK command is that of the repository: only its version is pinned by the example. What runs locally only is left out.
npm pkg delete devDependencies
# What the repository has already is linked, where its disk is the same: npm adds what is missing and removes what nobody asks for. The app
# of the README, below, gets the newest of all.
mkdir node_modules
cp -al "$root"/node_modules/{aws-cdk-lib,@aws-cdk,@aws-sdk,libphonenumber-js} node_modules/ 2>/dev/null || rm -rf node_modules
npm install --silent --no-audit --no-fund --prefer-offline --omit=optional

node_modules/.bin/neuron --help >/dev/null
node_modules/.bin/neuron init settings
node_modules/.bin/neuron validate settings
# The page of the console is built when the package is packed.
[ -s node_modules/neuron-execution-service/dist/console/index.html ] || { echo 'the package lacks the page of the console'; exit 1; }
cdk synth --quiet --strict >/dev/null
node -e '
  const { Resources, Outputs } = JSON.parse(require("node:fs").readFileSync("cdk.out/Neurons.template.json", "utf8"));
  const types = Object.values(Resources).map(({ Type }) => Type);
  const has = (type, count) => types.filter((one) => one === type).length === count;
  if (!has("AWS::DynamoDB::GlobalTable", 6) || !has("AWS::ApiGateway::BasePathMapping", 1) || !Outputs.ApiUrl)
    throw new Error(`the example app made ${types.join(", ")}`);
'
# The declarations are what an app is written against; the compiler is that of the repository.
tsc --noEmit --strict --module nodenext --target es2024 --types '' --skipLibCheck app.ts
sed -i 's/dailySpending: 20/dailySpending: "twenty"/' app.ts
if tsc --noEmit --strict --module nodenext --target es2024 --types '' --skipLibCheck app.ts >/dev/null; then
  echo 'the declarations of the package take anything'
  exit 1
fi

# An app of one's own, by the commands and the program of the README alone, without the one that installs the CDK command and those after synth.
readme=$root/examples/cdk/README.md
mkdir "$folder/app"
cd "$folder/app"
section=$(sed -n '/^## Write an app/,/^## Settings/p' "$readme")
sed -n '/^```ts$/,/^```$/p' <<<"$section" | sed '/^```/d' >app.ts
sed -n '/^```sh$/,/^```$/p' <<<"$section" | sed '/^```/d; /install --save-dev aws-cdk/d; s/^npx cdk /cdk /; /cdk deploy/,$d' >commands.sh
[ "$(wc -l <commands.sh)" -eq 5 ] || { echo 'the README shows other commands than this script knows'; exit 1; }
npm_config_loglevel=error npm_config_prefer_offline=true npm_config_omit=optional bash -euo pipefail commands.sh >/dev/null
[ -s cdk.out/Neurons.template.json ] || { echo 'the app of the README made no template'; exit 1; }

printf "package: %s, installed, command run, example and an app of one's own synthesized\n" "$(basename "$folder"/neuron-execution-service/*.tgz)"
