/**
 * The state diagrams of docs/architecture.md show every transition that the code and the database allow, and no other:
 * test/modules/protocol/transitions.test.ts holds the same tables against the database's triggers.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { responseTransitions, transitions } from '../modules/transitions.js';
import { fencesIn } from '../support/documents.js';

type Transitions = Record<string, readonly string[]>;

const diagrams = fencesIn(readFileSync('docs/architecture.md', 'utf8'), 'mermaid');

/** Arrows from the initial state, to the final one, and from a state to itself are no transitions. */
function transitionsIn(diagram: string): string[] {
  const arrows = [...diagram.matchAll(/^\s*(\S+) --> ([^\s:]+)/gm)];
  return arrows
    .filter(([, from, to]) => from !== '[*]' && to !== '[*]' && from !== to)
    .map(([, from, to]) => `${from} → ${to}`)
    .toSorted();
}

function finalStatesIn(diagram: string): string[] {
  return [...diagram.matchAll(/^\s*(\S+) --> \[\*\]/gm)].map(([, state = '']) => state).toSorted();
}

function allowed(table: Transitions): string[] {
  return Object.entries(table)
    .flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`))
    .toSorted();
}

function finalStates(table: Transitions): string[] {
  return Object.keys(table)
    .filter((state) => table[state]?.length === 0)
    .toSorted();
}

describe.each<[string, string, Transitions]>([
  ['threads', 'active --> ready', transitions],
  ['responses', 'running --> succeeded', responseTransitions],
])('the state diagram of %s', (_name, arrow, table) => {
  const diagram = diagrams.find((text) => text.includes(arrow)) ?? '';

  it('shows exactly the allowed transitions', () => {
    expect(transitionsIn(diagram)).toEqual(allowed(table));
  });

  it('ends in the states without outgoing transitions', () => {
    expect(finalStatesIn(diagram)).toEqual(finalStates(table));
  });
});
