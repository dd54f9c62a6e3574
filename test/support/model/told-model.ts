/**
 * A model for llama.cpp that answers what it is told to: each token of an answer leads to the next one and attention adds nothing, so
 * that a real server can be tested with words that are known. The template of the chat chooses the answer by a word in the last
 * message. The file is of the format GGUF 3, with the smallest network that llama.cpp loads.
 */
import { writeFile } from 'node:fs/promises';

/** A piece is a token: a text, or bytes that are no whole characters. The last piece may lead back to the first one. */
export interface ToldAnswer {
  pieces: readonly (string | Uint8Array)[];
  isEndless?: boolean;
}

const [start, end] = ['<|im_start|>', '<|im_end|>'];
/** Types of tokens. */
const [normal, control] = [1, 3];
const headSize = 64;

/** Writes the model of these answers, by the word that asks for each; the first one is for everything else. */
export async function writeToldModel(path: string, answers: Readonly<Record<string, ToldAnswer>>): Promise<void> {
  const vocabulary = new Vocabulary(answers);
  const { tokens, types, next } = vocabulary;
  const size = tokens.length;
  const fields: Field[] = [
    ['general.architecture', text('llama')],
    ['llama.context_length', count(4096)],
    ['llama.embedding_length', count(size)],
    ['llama.block_count', count(1)],
    ['llama.feed_forward_length', count(headSize)],
    ['llama.attention.head_count', count(size / headSize)],
    ['llama.attention.head_count_kv', count(1)],
    ['llama.attention.layer_norm_rms_epsilon', real(1e-5)],
    ['llama.rope.dimension_count', count(headSize)],
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text('default')],
    ['tokenizer.ggml.tokens', list(tokens.map(text))],
    ['tokenizer.ggml.token_type', list(types.map(integer))],
    ['tokenizer.ggml.merges', list([text('q z')])],
    ['tokenizer.ggml.bos_token_id', count(tokens.indexOf(start))],
    ['tokenizer.ggml.eos_token_id', count(tokens.indexOf(end))],
    ['tokenizer.chat_template', text(template(Object.keys(answers)))],
  ];
  const empty = (...shape: number[]): Tensor => ({ shape, values: new Float32Array(shape.reduce((a, b) => a * b)) });
  const ones: Tensor = { shape: [size], values: new Float32Array(size).fill(1) };
  const [embeddings, output] = [empty(size, size), empty(size, size)];
  for (let token = 0; token < size; token += 1) {
    embeddings.values[token * size + token] = 1;
    output.values[(next.get(token) ?? tokens.indexOf(end)) * size + token] = 2;
  }
  const block = (name: string) => `blk.0.${name}.weight`;
  await writeFile(
    path,
    ggufFile(fields, {
      'token_embd.weight': embeddings,
      'output_norm.weight': ones,
      'output.weight': output,
      [block('attn_norm')]: ones,
      [block('attn_q')]: empty(size, size),
      [block('attn_k')]: empty(size, headSize),
      [block('attn_v')]: empty(size, headSize),
      [block('attn_output')]: empty(size, size),
      [block('ffn_norm')]: ones,
      [block('ffn_gate')]: empty(size, headSize),
      [block('ffn_up')]: empty(size, headSize),
      [block('ffn_down')]: empty(headSize, size),
    }),
  );
}

/** The 256 bytes, the marks of the chat, and a token for each piece; as many as make whole heads. */
class Vocabulary {
  readonly tokens: string[] = Array.from({ length: 256 }, (_, byte) => byteCharacter(byte));
  readonly types: number[] = this.tokens.map(() => normal);
  readonly next = new Map<number, number>();

  constructor(answers: Readonly<Record<string, ToldAnswer>>) {
    this.#add(start, control);
    this.#add(end, control);
    this.#add('qz', normal);
    for (const [word, { pieces, isEndless = false }] of Object.entries(answers)) {
      const path = [this.#add(markOf(word), control), ...pieces.map((piece) => this.#add(written(piece), normal))];
      for (const [index, token] of path.slice(1).entries()) this.next.set(path[index] ?? 0, token);
      if (isEndless) this.next.set(path.at(-1) ?? 0, path[1] ?? 0);
    }
    while (this.tokens.length % headSize > 0) this.#add(`<|unused ${this.tokens.length}|>`, control);
  }

  #add(token: string, type: number): number {
    if (this.tokens.includes(token)) throw new Error(`Two tokens of the model are "${token}".`);
    this.types.push(type);
    return this.tokens.push(token) - 1;
  }
}

const markOf = (word: string) => `<|answer ${word}|>`;
const written = (piece: string | Uint8Array) => [...Buffer.from(piece)].map(byteCharacter).join('');

/** How GPT-2's vocabulary writes a byte: as itself if it can be seen, else as a character from U+0100 on. */
function byteCharacter(byte: number): string {
  const isSeen = (value: number) => value > 32 && value !== 173 && (value < 127 || value > 160);
  if (isSeen(byte)) return String.fromCharCode(byte);
  const unseen = Array.from({ length: byte }, (_, value) => value).filter((value) => !isSeen(value));
  return String.fromCharCode(256 + unseen.length);
}

/** ChatML with calls as Qwen writes them, by which llama.cpp knows how to read them. */
function template(words: string[]): string {
  const call = `'<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + call.function.arguments | tojson + '}\\n</tool_call>'`;
  const [usual = '', ...others] = words;
  const choices = others.map((word) => `{%- elif '${word}' in messages[-1].content %}{{- '${markOf(word)}' }}`);
  return `{%- if tools %}{{- '${start}system\\n<tools>' }}{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}{{- '\\n</tools>${end}\\n' }}{%- endif %}
{%- for message in messages %}
{%- set role = 'user' if message.role == 'tool' else message.role %}
{{- '${start}' + role + '\\n' }}
{%- if message.role == 'tool' %}{{- '<tool_response>\\n' + message.content + '\\n</tool_response>' }}{%- elif message.content %}{{- message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}{{- '\\n' }}{{- ${call} }}{%- endfor %}
{{- '${end}\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '${start}assistant\\n' }}{%- if false %}${choices.join('')}{%- else %}{{- '${markOf(usual)}' }}{%- endif %}{%- endif %}`;
}

interface Tensor {
  /** What goes in, and what comes out. */
  shape: number[];
  values: Float32Array;
}

/** The number of the type, and the value. */
type Value = readonly [number, Buffer];
type Field = readonly [string, Value];

const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
const u64 = (value: number) => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);
const string = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const count = (value: number): Value => [4, u32(value)];
const integer = (value: number): Value => [5, u32(value)];
const real = (value: number): Value => [6, Buffer.from(new Float32Array([value]).buffer)];
const text = (value: string): Value => [8, string(value)];
const list = (values: Value[]): Value => [
  9,
  Buffer.concat([u32(values[0]?.[0] ?? 0), u64(values.length), ...values.map(([, bytes]) => bytes)]),
];

/** Tensors are aligned to 32 bytes, of which all their sizes are multiples. */
function ggufFile(fields: Field[], tensors: Record<string, Tensor>): Buffer {
  const named = Object.entries(tensors);
  let offset = 0;
  const infos = named.map(([name, { shape, values }]) => {
    const info = [string(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)];
    offset += values.byteLength;
    return Buffer.concat(info);
  });
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(named.length),
    u64(fields.length),
    ...fields.map(([name, [type, value]]) => Buffer.concat([string(name), u32(type), value])),
    ...infos,
  ]);
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32);
  return Buffer.concat([head, padding, ...named.map(([, { values }]) => Buffer.from(values.buffer))]);
}
