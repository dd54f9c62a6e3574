/** The first members whose name or address contains what is written, searched for once nothing more is written for a moment. */
import { useCallback, useEffect, useState } from 'react';
import { type Outcome, runQuery } from '../api/client.js';
import { membersQuery } from '../api/member-documents.js';
import type { Member } from '../api/types.js';
import { useList } from '../ui/state/use-list.js';

const pauseMs = 250;

export function useMembers(first: number) {
  const [written, setWritten] = useState('');
  const [search, setSearch] = useState('');
  const members = useList(useCallback(() => fetchMembers(search, first), [search, first]));
  useEffect(() => {
    const timer = setTimeout(() => setSearch(written.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [written]);
  return { written, setWritten, members };
}

async function fetchMembers(search: string, first: number): Promise<Outcome<Member[]>> {
  const outcome = await runQuery(membersQuery, { search, first });
  return outcome.ok ? { ok: true, value: outcome.value.members } : outcome;
}
