/** Reads what the sources of the web application say: the texts that they declare, and those that they show without declaring them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@tsd/typescript';

const root = fileURLToPath(new URL('../../../src/web', import.meta.url));

/** A text, or its forms for a number. */
export type Text = string | Readonly<Record<string, string>>;

/** The texts of each file, under the names that they have in catalogues too. */
export type Texts = Readonly<Record<string, Readonly<Record<string, Text>>>>;

export function declaredTexts(): Texts {
  const declared: Record<string, Record<string, Text>> = {};
  for (const { source, file } of sources()) {
    visit(source, (node) => {
      if (!isDeclaration(node)) return true;
      const [name, texts] = node.arguments;
      if (!name || !texts || stringOf(name) !== file) throw new Error(`${file} declares texts under another name.`);
      declared[file] = textsOf(texts);
      return false;
    });
  }
  return declared;
}

/** Words in quotation marks that people would see or hear, each with its file. A name that is the same in all languages is none. */
export function undeclaredTexts(allowed: ReadonlySet<string>): string[] {
  return sources().flatMap(({ source, file }) => {
    const found: string[] = [];
    visit(source, (node) => {
      if (isDeclaration(node) || isForNobody(node)) return false;
      const words = wordsOf(node).replace(/\s+/g, ' ').trim();
      if (/\p{L}{2}/u.test(words) && !allowed.has(words)) found.push(`${file}: ${words}`);
      return true;
    });
    return found;
  });
}

/** Attributes that people see or hear, also under the names that our own components give them. */
const spoken =
  /^(aria-(label|description|roledescription|valuetext)|title|placeholder|alt|label|legend|hint|caption|remove|keep|confirm|done|words|of)$/;
/** Two words or more, of which the first begins with a capital letter, or a word with an ellipsis. */
const sentence = /^\p{Lu}\p{L}*(…|[ ,][\p{L}“(])/u;

function wordsOf(node: ts.Node): string {
  if (ts.isJsxText(node)) return node.text.replace(/&\w+;/g, ' ');
  const text = stringOf(node);
  if (text === null) return '';
  return sentence.test(text) || isSpoken(node.parent, node) ? text : '';
}

/** Whether a string is what an element or an attribute says, perhaps one of several things. */
function isSpoken(parent: ts.Node, child: ts.Node): boolean {
  if (ts.isJsxAttribute(parent)) return spoken.test(parent.name.getText());
  if (ts.isPropertyAssignment(parent)) return /^(label|legend|title|body|message|problem)$/.test(parent.name.getText());
  if (ts.isJsxExpression(parent)) return !ts.isJsxAttribute(parent.parent) || isSpoken(parent.parent, parent);
  const isOneOfSeveral = ts.isConditionalExpression(parent)
    ? parent.condition !== child
    : ts.isBinaryExpression(parent);
  return isOneOfSeveral && !isComparison(parent) && isSpoken(parent.parent, parent);
}

function isComparison(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && /[=!<>]/.test(node.operatorToken.getText());
}

/** Names of modules and types, errors for developers, and documents of GraphQL. */
function isForNobody(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText());
  return ts.isCallExpression(node) && node.expression.getText() === 'graphql';
}

function stringOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

function isDeclaration(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === 'defineTexts';
}

function textsOf(node: ts.Node): Record<string, Text> {
  return Object.fromEntries(propertiesOf(node).map(({ name, initializer }) => [keyOf(name), textOf(initializer)]));
}

/** A string as it is, in `withValues`, or with several forms in `counted`. */
function textOf(node: ts.Node): Text {
  const text = stringOf(node);
  if (text !== null) return text;
  if (ts.isCallExpression(node) && node.arguments[0]) return textOf(node.arguments[0]);
  return Object.fromEntries(
    propertiesOf(node).map(({ name, initializer }) => [keyOf(name), stringOf(initializer) ?? '']),
  );
}

function propertiesOf(node: ts.Node): ts.PropertyAssignment[] {
  if (!ts.isObjectLiteralExpression(node)) throw new Error(`These texts cannot be read: ${node.getText()}`);
  return node.properties.filter(ts.isPropertyAssignment);
}

function keyOf(name: ts.PropertyName): string {
  return ts.isStringLiteral(name) ? name.text : name.getText();
}

function sources(): { source: ts.SourceFile; file: string }[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && name !== 'vite.config.ts')
    .map((name) => ({
      file: name.replace(/\.tsx?$/, ''),
      source: ts.createSourceFile(name, readFileSync(join(root, name), 'utf8'), ts.ScriptTarget.Latest, true),
    }));
}

/** Visits what is in a node where `look` says that it matters. */
function visit(node: ts.Node, look: (node: ts.Node) => boolean): void {
  node.forEachChild((child) => {
    if (look(child)) visit(child, look);
  });
}
