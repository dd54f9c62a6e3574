/** Operations of GraphQL, made from the schema: any fields to any depth, aliases, fragments, directives, variables and literals. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import type { Surroundings } from './generated-request.js';
import { hostileText, hostileValue, nearText } from './values.js';

export interface GeneratedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  query: string;
  variables: Record<string, unknown>;
  operationName?: string;
}

/** One operation with one to three root fields; `kind` is chosen where it is not given. */
export function graphqlOperation(around: Surroundings): GeneratedOperation {
  const { chance } = around;
  const kind = chance.weighted<GeneratedOperation['kind']>([
    [5, 'query'],
    [5, 'mutation'],
    [1, 'subscription'],
  ]);
  return new Writer(around, kind).operation();
}

/** Ids by the name of the argument that wants them. */
const kindsOfIds: readonly (readonly [RegExp, string])[] = [
  [/threadid/i, 'thr'],
  [/messageid/i, 'msg'],
  [/attachmentids/i, 'att'],
  [/tooluseid/i, 'tool'],
  [/memberid/i, 'usr'],
];
const idsByKind = {
  thr: 'thread archiveThread unarchiveThread archiveThreads unarchiveThreads resumeThread renameThread setThreadInstructions \
setThreadTags setThreadPrivacy threadChanged pinThread unpinThread',
  msg: 'message markThreadRead submitFeedback withdrawFeedback',
  usr: 'removeMember changeMemberRole',
  tok: 'revokeAccessToken',
  ses: 'endSession',
};
const kindsByField: Record<string, string> = Object.fromEntries(
  Object.entries(idsByKind).flatMap(([kind, fields]) => fields.split(' ').map((field) => [field, kind])),
);

const lockingOut = ['revokeAccessToken', 'endSession', 'removeMember', 'changeMemberRole'];

class Writer {
  readonly #around: Surroundings;
  readonly #kind: GeneratedOperation['kind'];
  readonly #variables = new Map<string, { type: string; value: unknown }>();
  readonly #fragments: string[] = [];
  #aliases = 0;
  #root = '';

  constructor(around: Surroundings, kind: GeneratedOperation['kind']) {
    this.#around = around;
    this.#kind = kind;
  }

  operation(): GeneratedOperation {
    const { chance } = this.#around;
    const root = schema.getRootType(this.#kind as never);
    if (!isObjectType(root)) throw new Error(`The schema has no ${this.#kind}.`);
    const fields = Object.values(root.getFields());
    const count = this.#kind === 'subscription' && chance.is(0.95) ? 1 : chance.pick([1, 1, 1, 2, 3]);
    const depth = chance.pick([2, 3, 4, 5, 7]);
    const selections = Array.from({ length: count }, (_, index) => {
      const any = chance.pick(fields);
      // Whoever has signed out or is removed gets nothing but refusals until the next people come.
      const field = lockingOut.includes(any.name) && chance.is(0.9) ? chance.pick(fields) : any;
      this.#root = field.name;
      return this.#field(field, depth, index > 0);
    });
    const variables = [...this.#variables].map(([name, { type }]) => `$${name}: ${type}`).join(', ');
    const name = chance.is(0.3) ? 'Generated' : '';
    const head = `${this.#kind} ${name}${variables && `(${variables})`}`;
    const query = `${head} { ${selections.join(' ')} } ${this.#fragments.join(' ')}`;
    const values = Object.fromEntries([...this.#variables].map(([key, { value }]) => [key, value]));
    return {
      kind: this.#kind,
      query: chance.is(0.06) ? nearText(chance, query) : query,
      variables: chance.is(0.04)
        ? { ...values, [chance.pick([...Object.keys(values), 'other'])]: hostileValue(chance) }
        : values,
      ...(name || chance.is(0.02) ? { operationName: chance.is(0.95) ? name : 'Other' } : {}),
    };
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number, needsAlias = false): string {
    const { chance } = this.#around;
    const given = field.args.filter((argument) => isRequiredArgument(argument) || chance.is(0.4));
    const args = given.map((argument) => `${argument.name}: ${this.#argument(argument)}`).join(', ');
    const alias = needsAlias || chance.is(0.05) ? `a${++this.#aliases}: ` : '';
    const type = getNamedType(field.type);
    const inside = isCompositeType(type) ? ` { ${this.#selection(type, depth - 1)} }` : '';
    return `${alias}${field.name}${args && `(${args})`}${this.#directive()}${inside}`;
  }

  #directive(): string {
    const { chance } = this.#around;
    if (!chance.is(0.03)) return '';
    const name = chance.pick(['include', 'skip']);
    return ` @${name}(if: ${chance.is(0.5) ? chance.is(0.5) : this.#variable('Boolean!', chance.is(0.9) ? chance.is(0.5) : 'yes')})`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const { chance } = this.#around;
    if (!isObjectType(type)) {
      const members = isCompositeType(type) ? schema.getPossibleTypes(type as never) : [];
      const some = chance.is(0.6) ? members : chance.subset(members);
      return ['__typename', ...some.map((member) => this.#fragment(member, depth))].join(' ');
    }
    const all = Object.values(type.getFields());
    const plain = all.filter((field) => !isCompositeType(getNamedType(field.type)));
    const deeper = depth > 0 ? all.filter((field) => isCompositeType(getNamedType(field.type))) : [];
    const fields = [...chance.subset(plain, 0.7), ...chance.subset(deeper, 0.4)];
    return ['__typename', ...fields.map((field) => this.#field(field, depth))].join(' ');
  }

  #fragment(type: GraphQLNamedType, depth: number): string {
    const inside = this.#selection(type, depth);
    if (!this.#around.chance.is(0.1)) return `... on ${type.name} { ${inside} }`;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${inside} }`);
    return `...${name}`;
  }

  #argument(argument: GraphQLArgument): string {
    const { chance } = this.#around;
    const value = this.#value(argument, argument.type);
    return chance.is(0.7) ? this.#variable(String(argument.type), value) : literal(value, argument.type);
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#variables.size}`;
    const declared = this.#around.chance.is(0.01) ? type.replace(/!$/, '') : type;
    this.#variables.set(name, { type: declared, value });
    return `$${name}`;
  }

  #value(input: GraphQLArgument | GraphQLInputField, type: GraphQLInputType): unknown {
    const { chance } = this.#around;
    if (chance.is(0.03)) return hostileValue(chance);
    if (isNonNullType(type)) return this.#value(input, type.ofType);
    if (chance.is(0.03)) return null;
    if (isListType(type))
      return Array.from({ length: chance.pick([0, 1, 1, 2, 11]) }, () => this.#value(input, type.ofType));
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((field) => isRequiredInputField(field) || chance.is(0.4));
      return Object.fromEntries(fields.map((field) => [field.name, this.#value(field, field.type)]));
    }
    if (isEnumType(type)) return chance.pick(type.getValues()).name;
    return this.#scalar(input.name, getNamedType(type).name);
  }

  #scalar(name: string, type: string): unknown {
    const { chance, known } = this.#around;
    if (type === 'ID') return known.id(chance, this.#idKind(name));
    if (type === 'Int') return chance.pick([1, 2, 5, 20, 200, 0, -1, 201, 2 ** 31 - 1]);
    if (type === 'Float') return chance.next();
    if (type === 'Boolean') return chance.is(0.5);
    if (type === 'DateTime')
      return chance.pick(['2026-11-20T17:29:00.000Z', '2020-01-01', 'now', '9999-12-31T23:59:59Z']);
    if (/^(after|before)$/.test(name)) return known.cursor(chance);
    if (name === 'mediaType') return chance.pick(['image/png', 'text/plain', 'application/pdf', 'text/html', 'x']);
    if (name === 'email') return `generated-${chance.below(30)}@acme.test`;
    if (name === 'idempotencyKey') return chance.is(0.8) ? `key-${chance.below(40)}` : hostileText(chance);
    if (name === 'choice') return chance.pick(['Red', 'Blue', 'Green']);
    return chance.is(0.85) ? chance.pick(['Hello', 'ask me something', 'Grüße, 世界', 'first']) : hostileText(chance);
  }

  #idKind(name: string): string {
    const fitting = kindsOfIds.find(([pattern]) => pattern.test(name));
    return fitting?.[1] ?? kindsByField[this.#root] ?? this.#around.chance.pick(['thr', 'msg', 'att', 'usr']);
  }
}

/** The value as it is written into a document. */
function literal(value: unknown, type: GraphQLInputType): string {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (value === null || value === undefined) return 'null';
  if (isEnumType(inner) && typeof value === 'string' && /^[A-Z_]+$/.test(value)) return value;
  if (Array.isArray(value)) {
    const of = isListType(inner) ? inner.ofType : inner;
    return `[${value.map((each) => literal(each, of)).join(', ')}]`;
  }
  if (typeof value === 'object') {
    const fields = isInputObjectType(inner) ? inner.getFields() : {};
    const parts = Object.entries(value).map(
      ([key, each]) => `${key || '_'}: ${literal(each, fields[key]?.type ?? inner)}`,
    );
    return `{${parts.join(', ')}}`;
  }
  return JSON.stringify(value);
}
