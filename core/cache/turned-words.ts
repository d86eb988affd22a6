// Finds words that a prefix turns round: `illegal`, `unsafe`, `disable`, `hypotension`, `decrypt`. A list, since most words that begin so
// are none of them: `under`, `inform`, `discuss`.

const alternatives = (list: string): string => list.split(' ').join('|');

/** Beginnings, without accents, of the words that `in-` and its forms deny. */
const DENIED_BY_IN = alternatives(
  'accura activ adequa appropria capa compatib complet conclusiv consisten convenien correct curabl decen defini dependen direct discre ' +
    'edib effectiv efficien eligib equal equit evitab exact excus expensiv experienc explica fallib fertil finit flexib formal frequen ' +
    'human justice justif sane secur sensitiv signific sincer solven solubl stabil suffici tangib tolera valid variab visib volunt ' +
    'vulnerab access admissib applicab audib attentiv coheren comparab competen considera conspic decisiv distinct divisib elastic ' +
    'habil offensiv operab organic palpab separab satisf util juste connu compet hospita numera nocuous animat action differen credib ' +
    'continen contestab corrigib delib destructib abilit applicat famous',
);
const DENIED_BY_IM = alternatives(
  'balanc matur measur mobil modest moral mortal movab mutab partial passab patien perfec permeab permissib persona plausib polit possib ' +
    'posib poten practic precis probab proper pure pensab penetrab perceptib prud',
);
const DENIED_BY_IL = alternatives('legal legib legit liter logic licit liberal limit');
const DENIED_BY_IR = alternatives(
  'ration reconcil redeem refut regular relevan religi replac resist resolut respons revers revoc recover repar real',
);
const DENIED_BY_DIS = alternatives(
  'abil abl advant agree allow appear bar approv arm array assembl associat attach avow band believ belief buil charg claim close clos color colour comfort count ' +
    'connect conten continu courag cover credit embark empower enchant engag entangl fig follow franchis grac harmon hear heart honest ' +
    'honor honour illus incentiv incline infect inform inherit integrat interest invest jointed like list locat loyal mantl member ' +
    'miss mount obey obedien order organi orient own parag passion place plac pleas proof proportion prov qualif quiet regard remember reput ' +
    'respect rupt satisf similar sociat solv taste trust unit use',
);
const DENIED_BY_MIS = alternatives(
  'align appl behav calcul calculat carr communic conceiv concept conduct configur diagnos direct fit fortun guid handl hear identif inform ' +
    'interpret judg kick label lead manag match nam plac print pronounc quot read represent spell take treat trust understand us',
);
const DENIED_BY_A = alternatives(
  'typic symptom moral sexual social sync symmetr political theis septic periodic febril vascular',
);
const UNDONE_BY_DE = alternatives(
  'activ allocat authori central classif commission compil compos compress congest construct contamin coupl duplicat escal fragment ' +
    'frost humidif hydrat install listed militari mystif normali nuclear obfuscat pressuri priorit regist regul segreg seriali stabil valu ' +
    'bloque conect connect habilit bug brief fus grad ice icing rail freez base bas moti merit',
);

/** Prefixes with what may follow them; the first group is what is kept of the prefix. */
const TURNED: readonly RegExp[] = [
  // German has it too.
  /^(un)(?!der|ter(?!min)|i[cfloqstuv]|cle|til|less|to$|ction|guent|dul|anim|d$|s$)(\p{L}{2,})/u,
  /^(non)(?!e$|es$|etheless|sens)(\p{L}{3,})/u,
  /^(anti)(?!c$|cs$|cip|q|dot)(\p{L}{3,})/u,
  new RegExp(`^(in)(${DENIED_BY_IN})`, 'u'),
  new RegExp(`^(im)(${DENIED_BY_IM})`, 'u'),
  new RegExp(`^(il?)(${DENIED_BY_IL})`, 'u'),
  new RegExp(`^(ir)(${DENIED_BY_IR})`, 'u'),
  new RegExp(`^(dis|des)(${DENIED_BY_DIS})`, 'u'),
  new RegExp(`^(mis)(${DENIED_BY_MIS})`, 'u'),
  new RegExp(`^(a)(${DENIED_BY_A})`, 'u'),
  new RegExp(`^(des?)(${UNDONE_BY_DE})`, 'u'),
  /^(ab)(norm)/u,
  /^(an)(aerob|hydr|ion|echo|ovul)/u,
  /^(dys)(\p{L}{3,})/u,
  /^(mal)(functi|nutri|practi|treat|form|adjust|adapt|odor|absor|content|nourish)/u,
  /^(counter)(?!part|top|feit)(\p{L}{4,})/u,
  /^(pseudo|quasi)(\p{L}{3,})/u,
  /^(tachy|brady)(\p{L}{3,})/u,
  /^(endo|exo)(therm|skelet|gen|crin|toxin|cyt)/u,
  /^(homo|hetero)(gen|sex|zyg|trop)/u,
  /^(en|de)(cod|crypt)/u,
  /^(in|de)(creas|crement|flat)/u,
  /^(in|ex)(clu|tern|hal)/u,
  /^(im|ex)(port|plicit)/u,
  /^(in|out)(put|bound|side|door|flow|going|come|sourc|ward)/u,
  /^(at|de)(tach)/u,
  /^(a|de)(scend)/u,
  /^(up|down)(load|grad|scal|stream|vot|ward|stair|hill|link|siz)/u,
  /^(over|under)(\p{L}{3,})/u,
  /^(pre|post)(pa[iy]|order|nat|fix|war|process|tax|increment|operat|condition)/u,
  /^(hyper|hypo)(\p{L}{3,})/u,
  /^(macro|micro)(\p{L}{3,})/u,
  /^(maxi|mini)(m)/u,
  /^(multi|mono|uni|bi)(lateral|lingu|direct|cell|tenan|thread|polar|cultur)/u,
  /^(intra|inter|extra)(nation|venous|net|galact|mural|state|cell)/u,
  /^(sub|super)(sonic|script(?!i)|set|conduct|type|class)/u,
];

/** Words of two parts, of which the first says more than itself: `anti-virus`, `non-smoker`, `ex-wife`. */
const JOINED =
  /(?<![\p{L}\p{N}])(a|anti|co|contra|counter|de|dis|ex|extra|hyper|hypo|in|inter|intra|macro|micro|mid|mis|mono|multi|non|out|over|post|pre|pro|pseudo|quasi|re|self|semi|sub|super|un|under|up|down)[-‐](?=\p{L})/giu;

/** `-less` and `-free`, which turn a word round from behind. */
const LESS = /^(?!un|bless|regard|doubt|never|none|ruth|carefree)(\p{L}{3,})(less|free)(?:ly|ness)?$/u;
/** The same behind a hyphen: `sugar-free`, `tax-exempt`. */
const JOINED_AFTER = /(?<=\p{L})[-‐](free|less|exempt|proof|resistant)(?![\p{L}\p{N}])/giu;

/** Begin like one that is turned round. */
const UNTURNED: ReadonlySet<string> = new Set(
  (
    'understand understands understood understanding overall overview under over undergo underline undertake overnight underneath ' +
    'und une uno una uns unter unten unser unsere unseren unserem unserer unseres unos unas'
  ).split(' '),
);

/** Letters kept of a word: enough to tell it from others, and the same in its other forms. */
const STEM_LENGTH = 4;

/** The prefix with the beginning of its word, such as `il-lega`; undefined for a word that none turns round. In any case. */
export function turnedWord(word: string): string | undefined {
  const plain = word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (UNTURNED.has(plain)) return undefined;
  for (const pattern of TURNED) {
    const found = pattern.exec(plain);
    if (found !== null) return `${found[1]}-${plain.slice(found[1]?.length).slice(0, STEM_LENGTH)}`;
  }
  const [, stem, ending] = LESS.exec(plain) ?? [];
  return stem === undefined ? undefined : `${ending}-${stem.slice(0, STEM_LENGTH)}`;
}

/** The prefixes, then the endings, of words that are joined by a hyphen, each in the order of the text. */
export function joinedPrefixes(text: string): string[] {
  return [
    ...[...text.matchAll(JOINED)].map(([, prefix = '']) => `${prefix.toLowerCase()}-`),
    ...[...text.matchAll(JOINED_AFTER)].map(([, ending = '']) => `-${ending.toLowerCase()}`),
  ];
}
