/** What both APIs and the web application agree on: names, limits and defaults, and the texts that state them. */

/** Scopes of access tokens. Each REST endpoint and each root field of the GraphQL schema requires exactly one. */
export const scopes = ['me:read', 'threads:read', 'threads:write', 'feedback:write', 'tokens:write'] as const;
export type Scope = (typeof scopes)[number];

/** The states of a thread (specification, States and transitions). */
export const threadStates = ['ready', 'waiting', 'active', 'error', 'interrupted'] as const;
export type ThreadStateName = (typeof threadStates)[number];

/** How many items a page has, in both APIs and the web application (specification, Limits). */
export const defaultPageSize = 50;
export const maximumPageSize = 200;

/** The maximum, as the descriptions of both APIs state it. */
export const clampedPageSize = `Values above ${maximumPageSize} are clamped to ${maximumPageSize}.`;

/** How threads are sorted by default, in both APIs. */
export const defaultThreadOrder = { field: 'updated_at', direction: 'desc' } as const;

/** Bounds of the texts of callers in characters (Unicode code points), in both APIs and the web application. */
export const textLimits = {
  message: { min: 1, max: 100_000, blank: false },
  key: { min: 1, max: 255, blank: false },
  name: { min: 0, max: 255, blank: true },
  tokenName: { min: 1, max: 255, blank: false },
  instructions: { min: 1, max: 4000, blank: false },
  search: { min: 0, max: 500, blank: true },
  feedback: { min: 0, max: 10_000, blank: true },
} as const;

/** A bound as descriptions state it: "1 to 100,000 characters", "at most 255 characters". */
export function statedLimit(limit: keyof typeof textLimits): string {
  const { min, max } = textLimits[limit];
  const most = max.toLocaleString('en-US');
  return `${min > 0 ? `${min} to` : 'at most'} ${most} characters`;
}

/** Maximum length of an id that callers send, in characters. Ids of the service have thirty; a longer one matches nothing. */
export const maximumIdLength = 255;

/** The length of a password in UTF-16 code units, on the page of a link and in the web application. */
export const passwordLength = { min: 12, max: 128 } as const;

/** How many threads one mutation archives or unarchives. */
export const maximumArchived = 100;

/** How many members of an organization one query lists. */
export const maximumMembers = 500;

/** How many of the threads that a person can see they may have pinned. */
export const maximumPins = 50;

/** How many attachments a message has at most, as the GraphQL API states and checks it. */
export const maximumAttachments = 10;

/** The highest budget of each unit; numbers of tokens up to there are exact. */
export const highestBudget = { tokens: Number.MAX_SAFE_INTEGER, cost: 1e9 } as const;

/** How many models a service may offer. */
export const maximumModels = 50;

/** How many characters of what the model thinks are stored with its answer. */
export const maximumReasoning = 200_000;

/** How often a message can be edited or sent again, the first time included. */
export const maximumVariants = 100;

/** How many tags a thread has at most. */
export const maximumTags = 10;
/** How long a tag is at most, in characters (Unicode code points). */
export const maximumTagLength = 40;
/** How many of the tags in use are listed at most. */
export const maximumTagsInUse = 100;

/**
 * What tags are compared by: without case, compatibility forms, invisible characters and the width of white space. "Q3  Budget"
 * and "q3 budget" are the same tag, and so are "Straße" and "STRASSE". For texts as short as tags: `normalize` takes time with
 * the square of a run of combining marks.
 */
export function tagKey(tag: string): string {
  const visible = tag.replace(/\p{Default_Ignorable_Code_Point}+/gu, '').normalize('NFKC');
  // Through upper case, which has no ß and no second sigma.
  return tidyTag(visible.toLowerCase().toUpperCase().toLowerCase());
}

/** A tag as it is stored: composed, trimmed, and with one space for each run of white space. */
export function tidyTag(tag: string): string {
  return tag.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** What a budget says, as both APIs and the web application name it. */
export const budgetScopes = ['organization', 'user', 'token'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** Days and months of UTC. */
export const budgetPeriods = ['day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Tokens in and out together, or their cost by the price list. */
export const budgetUnits = ['tokens', 'cost'] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

export interface BudgetTerms {
  scope: BudgetScope;
  period: BudgetPeriod;
  unit: BudgetUnit;
  /** How much may be taken until it renews. */
  maximum: number;
}
