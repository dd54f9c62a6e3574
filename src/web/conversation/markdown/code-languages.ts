/** The languages that are highlighted. Each is loaded when code in it is shown for the first time. */
import type { LanguageFn } from 'highlight.js';

export interface CodeLanguage {
  name: string;
  aliases: readonly string[];
  load: () => Promise<{ default: LanguageFn }>;
  /** Languages that can be embedded in this one. */
  inside: readonly string[];
}

const languages: readonly CodeLanguage[] = [
  of('bash', () => import('highlight.js/lib/languages/bash'), ['sh', 'zsh']),
  of('c', () => import('highlight.js/lib/languages/c'), ['h']),
  of('cpp', () => import('highlight.js/lib/languages/cpp'), ['c++', 'cc', 'hpp', 'arduino']),
  of('csharp', () => import('highlight.js/lib/languages/csharp'), ['cs', 'c#']),
  of('css', () => import('highlight.js/lib/languages/css')),
  of('diff', () => import('highlight.js/lib/languages/diff'), ['patch']),
  of('go', () => import('highlight.js/lib/languages/go'), ['golang']),
  of('graphql', () => import('highlight.js/lib/languages/graphql'), ['gql']),
  of('ini', () => import('highlight.js/lib/languages/ini'), ['toml']),
  of('java', () => import('highlight.js/lib/languages/java')),
  of('javascript', () => import('highlight.js/lib/languages/javascript'), ['js', 'jsx', 'mjs', 'cjs']),
  of('json', () => import('highlight.js/lib/languages/json'), ['jsonc', 'json5']),
  of('kotlin', () => import('highlight.js/lib/languages/kotlin'), ['kt', 'kts']),
  of('less', () => import('highlight.js/lib/languages/less')),
  of('lua', () => import('highlight.js/lib/languages/lua')),
  of('makefile', () => import('highlight.js/lib/languages/makefile'), ['mk', 'make']),
  of('markdown', () => import('highlight.js/lib/languages/markdown'), ['md']),
  of('objectivec', () => import('highlight.js/lib/languages/objectivec'), ['objc', 'mm']),
  of('perl', () => import('highlight.js/lib/languages/perl'), ['pl', 'pm']),
  of('php', () => import('highlight.js/lib/languages/php')),
  of('python', () => import('highlight.js/lib/languages/python'), ['py', 'ipython']),
  of('python-repl', () => import('highlight.js/lib/languages/python-repl'), ['pycon'], ['python']),
  of('r', () => import('highlight.js/lib/languages/r')),
  of('ruby', () => import('highlight.js/lib/languages/ruby'), ['rb']),
  of('rust', () => import('highlight.js/lib/languages/rust'), ['rs']),
  of('scss', () => import('highlight.js/lib/languages/scss')),
  of('shell', () => import('highlight.js/lib/languages/shell'), ['console', 'shellsession'], ['bash']),
  of('sql', () => import('highlight.js/lib/languages/sql'), ['postgresql', 'psql']),
  of('swift', () => import('highlight.js/lib/languages/swift')),
  of('typescript', () => import('highlight.js/lib/languages/typescript'), ['ts', 'tsx', 'mts', 'cts']),
  of('vbnet', () => import('highlight.js/lib/languages/vbnet'), ['vb']),
  of('wasm', () => import('highlight.js/lib/languages/wasm')),
  of('xml', () => import('highlight.js/lib/languages/xml'), ['html', 'svg', 'xhtml'], ['css', 'javascript']),
  of('yaml', () => import('highlight.js/lib/languages/yaml'), ['yml']),
];

function of(
  ...[name, load, aliases = [], inside = []]: [
    name: string,
    load: CodeLanguage['load'],
    aliases?: readonly string[],
    inside?: readonly string[],
  ]
): CodeLanguage {
  return { name, aliases, load, inside };
}

const byName = new Map(
  languages.flatMap((language) => [language.name, ...language.aliases].map((name) => [name, language])),
);

/** The language with this name or alias, ignoring case. */
export function codeLanguage(name: string): CodeLanguage | undefined {
  return byName.get(name.toLowerCase());
}
