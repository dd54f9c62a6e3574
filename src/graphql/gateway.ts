/**
 * The gateway for REST: operations run in process through Yoga, with the same authentication, scopes, timeouts and
 * masking as over HTTP. Documents are parsed once, at start; the compiler and the tests hold that they fit the schema.
 */
import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST, Kind, parse } from 'graphql';
import { CancellableStream } from '../async/cancellable-stream.js';
import { MissingScopeError } from '../errors.js';
import type { Scope } from '../modules/identity/scopes.js';
import type { Caller } from '../server/caller.js';
import type { DataOf, Fitting, Found, InputOf } from './document-types/document-types.js';
import { compileDocument } from './documents/compiled-documents.js';
import type { MaskError } from './errors/mask-error.js';
import { scopeOfField } from './mutation-scopes.js';
import { schema } from './schema.js';
import type { Yoga } from './yoga.js';

/** A document of this schema, with the types of its variables and data. */
export interface Operation<Data, Variables> {
  readonly document: DocumentNode;
  /** The scope that its root field requires, read from the schema: REST has no list of scopes. */
  readonly scope: Scope;
  readonly types?: { data: Data; variables: Variables };
}

/** The data of an operation. */
export type OperationData<Source> = Source extends Operation<infer Data, infer _Variables> ? Data : never;

/**
 * Parses a document, and compiles it where that was measured to pay. Throws at import if its root field is not one of the
 * schema.
 */
export function operation<const Text extends string>(
  source: Text & Fitting<DataOf<Text>>,
  { isCompiled = false }: { isCompiled?: boolean } = {},
): Operation<Found<DataOf<Text>>, InputOf<Text>> {
  const document = parse(source);
  if (isCompiled) compileDocument(schema, document);
  return { document, scope: scopeOf(document) };
}

function scopeOf(document: DocumentNode): Scope {
  const definition = getOperationAST(document);
  const root = definition && schema.getRootType(definition.operation);
  const node = definition?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const field = node && root?.getFields()[node.name.value];
  const scope = field && scopeOfField(field);
  if (!scope) throw new Error('The root field of the operation declares no scope.');
  return scope;
}

/** Runs operations for an authenticated caller. */
export interface Session {
  /** Throws a `MissingScopeError` if the caller's token lacks the scope of the operation. */
  authorize(operation: Pick<Operation<unknown, unknown>, 'scope'>): void;
  /** Resolves to the result of the work; rejects with an `UnauthenticatedError` if the caller's access ends first. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Resolves to the data of the operation. Rejects with its first error, masked as for GraphQL. */
  run<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables): Promise<Data>;
  /** The events of a subscription. Rejects like `run` before the first event; ends when the caller's signal aborts. */
  subscribe<Data, Variables>(
    operation: Operation<Data, Variables>,
    variables: Variables,
  ): Promise<AsyncIterableIterator<Data>>;
}

export interface Gateway {
  /** Authenticates the caller. Rejects with an `UnauthenticatedError`, or as `run` does. */
  open(caller: Caller): Promise<Session>;
}

export function createGateway(yoga: Yoga, maskError: MaskError): Gateway {
  return {
    async open(caller) {
      const pipeline = yoga.getEnveloped({ caller });
      const contextValue = await Promise.resolve(pipeline.contextFactory()).catch((error: unknown) => {
        throw maskError(error);
      });
      const argsOf = <Data, Variables>({ document }: Operation<Data, Variables>, variables: Variables) => ({
        schema: pipeline.schema,
        document,
        contextValue,
        variableValues: variables,
      });
      return {
        authorize({ scope }) {
          if (!contextValue.viewer.scopes.has(scope)) throw new MissingScopeError(scope);
        },
        during: (work) => contextValue.openAccess.during(contextValue.viewer, work),
        async run<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables) {
          return dataOf<Data>((await pipeline.execute(argsOf(operation, variables))) as ExecutionResult);
        },
        async subscribe<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables) {
          const results = await pipeline.subscribe(argsOf(operation, variables));
          if (!(Symbol.asyncIterator in results)) throw failureOf(results as ExecutionResult);
          return dataStream<Data>(results[Symbol.asyncIterator]());
        },
      };
    },
  };
}

/** The data of each result. */
function dataStream<Data>(results: AsyncIterator<ExecutionResult>): AsyncIterableIterator<Data> {
  return new CancellableStream({
    next: async () => {
      const result = await results.next();
      return result.done ? result : { done: false, value: dataOf<Data>(result.value) };
    },
    release: () => results.return?.(),
  });
}

function dataOf<Data>(result: ExecutionResult): Data {
  if (result.errors?.length || !result.data) throw failureOf(result);
  return result.data as Data;
}

function failureOf(result: ExecutionResult): GraphQLError {
  return result.errors?.[0] ?? new GraphQLError('The operation returned neither data nor an error.');
}
