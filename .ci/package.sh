#!/usr/bin/env bash
# The package as somebody else gets it: packed, installed into an empty folder, its command run, and the example app synthesized there.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export PATH="$root/node_modules/.bin:$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

npm run --silent build
npm pack --silent --pack-destination "$folder" >/dev/null
mkdir "$folder/app"
cp examples/cdk/app.ts examples/cdk/cdk.json examples/cdk/package.json "$folder/app/"
cd "$folder/app"
# The CDK command is that of the repository: only its version is pinned by the example. What runs locally only is left out.
npm pkg delete devDependencies
npm install --silent --no-audit --no-fund --prefer-offline --omit=optional "$folder"/neuron-execution-service-*.tgz

node_modules/.bin/neuron --help >/dev/null
node_modules/.bin/neuron init settings
node_modules/.bin/neuron validate settings
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
printf 'package: %s, installed, command run, example synthesized\n' "$(basename "$folder"/*.tgz)"
