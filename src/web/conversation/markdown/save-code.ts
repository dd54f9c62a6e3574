/** Saves blocks of code as files. Only what is listed here becomes part of a name, whatever the model wrote. */
import { saveFile } from '../../ui/save-file.js';
import { codeLanguage } from './code-languages.js';

const endings: Record<string, string> = {
  ...{ bash: 'sh', c: 'c', cpp: 'cpp', csharp: 'cs', css: 'css', diff: 'diff', go: 'go', graphql: 'graphql' },
  ...{ ini: 'ini', java: 'java', javascript: 'js', json: 'json', kotlin: 'kt', less: 'less', lua: 'lua' },
  ...{ makefile: 'mk', markdown: 'md', objectivec: 'm', perl: 'pl', php: 'php', python: 'py', 'python-repl': 'txt' },
  ...{ r: 'r', ruby: 'rb', rust: 'rs', scss: 'scss', shell: 'txt', sql: 'sql', swift: 'swift', typescript: 'ts' },
  ...{ vbnet: 'vb', wasm: 'wat', xml: 'xml', yaml: 'yaml' },
};

/** Where the word after the fence says more than its language. */
const ofWords: Record<string, string> = {
  ...{ jsx: 'jsx', mjs: 'mjs', cjs: 'cjs', tsx: 'tsx', mts: 'mts', cts: 'cts', html: 'html', svg: 'svg' },
  ...{ toml: 'toml', h: 'h', hpp: 'hpp', patch: 'patch', zsh: 'zsh', csv: 'csv', tex: 'tex', latex: 'tex' },
};

/** Lets the browser save code in a language, which is named by the word after the fence. */
export function saveCode(word: string, code: string): void {
  saveFile(codeFileName(word), new Blob([code], { type: 'text/plain' }));
}

function codeFileName(word: string): string {
  const name = word.toLowerCase();
  const ending = Object.hasOwn(ofWords, name) ? ofWords[name] : endings[codeLanguage(name)?.name ?? ''];
  return `code.${ending ?? 'txt'}`;
}
