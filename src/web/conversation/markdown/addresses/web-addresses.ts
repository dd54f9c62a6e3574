/** Addresses of the web in a text become links, as in GFM, but end where those of most scripts do (`address-ends.ts`). */
import type { Construct, Event, Extension, State, Token } from 'micromark-util-types';
import { characterOf, unspacedLetter } from '../character.js';
import { addressIn, isOver } from './address-ends.js';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    // Names of GFM, which makes links of them.
    literalAutolink: 'literalAutolink';
    literalAutolinkHttp: 'literalAutolinkHttp';
    literalAutolinkWww: 'literalAutolinkWww';
  }
}

const prefixes = ['https://', 'http://', 'www.'];
const begun = /^(?:https?:\/\/|www\.)[\p{L}\p{N}]/iu;
const latinLetter = /[a-z]/i;
const notBeforeWww = new RegExp(`(?!${unspacedLetter.source})[^\\s\\p{P}\\p{S}]`, 'u');

type Kind = 'literalAutolinkHttp' | 'literalAutolinkWww';

const webAddress: Construct = {
  name: 'webAddress',
  // An e-mail address may begin with the same letters.
  add: 'after',
  tokenize(effects, ok, nok) {
    const before = characterOf(this.previous);
    let kind: Kind = 'literalAutolinkHttp';
    let left = 0;
    const find = lookingForAddress((address) => {
      left = address.length;
    });
    const rest: State = (code) => {
      if (left === 0) {
        effects.exit(kind);
        effects.exit('literalAutolink');
        return ok(code);
      }
      left -= 1;
      effects.consume(code);
      return rest;
    };
    return (code) => {
      const isWww = /w/i.test(characterOf(code));
      if ((isWww ? notBeforeWww : latinLetter).test(before) || isInLabel(this.events)) return nok(code);
      if (isWww) kind = 'literalAutolinkWww';
      effects.enter('literalAutolink');
      effects.enter(kind);
      return effects.check(find, rest, nok)(code);
    };
  },
};

/** Takes the place of what GFM has for them. */
export const webAddresses: Extension = {
  text: Object.fromEntries(Array.from('HhWw').map((letter) => [letter.charCodeAt(0), webAddress])),
  disable: { null: ['protocolAutolink', 'wwwAutolink'] },
};

function lookingForAddress(found: (address: string) => void): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      let run = '';
      const next: State = (code) => {
        const character = characterOf(code);
        if (isOver(run, character)) {
          if (!begun.test(run)) return nok(code);
          found(addressIn(run));
          return ok(code);
        }
        run += character;
        // At once, since what follows would be read again from the next letter on.
        if (!mayBecomeAddress(run)) return nok(code);
        effects.consume(code);
        return next;
      };
      return next;
    },
  };
}

function mayBecomeAddress(run: string): boolean {
  const isLonger = prefixes.every((prefix) => run.length > prefix.length + 1);
  return isLonger || begun.test(run) || prefixes.some((prefix) => prefix.startsWith(run.toLowerCase()));
}

/** Marks what was looked at, so that many addresses do not look through the same text again. */
const outsideOfLabels = new WeakSet<Token>();

/** Whether a bracket before the address may turn out to open a link, which holds no other. */
function isInLabel(events: readonly Event[]): boolean {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const token = events[index]?.[1];
    if (!token || outsideOfLabels.has(token)) break;
    if ((token.type === 'labelLink' || token.type === 'labelImage') && !token._balanced) return true;
  }
  const last = events.at(-1)?.[1];
  if (last) outsideOfLabels.add(last);
  return false;
}
