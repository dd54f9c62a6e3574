/** The first members whose name or address contains what is written, searched for once nothing more is written for a moment. */
import { useEffect, useState } from 'react';
import { membersQuery } from '../api/member-documents.js';
import { useList } from '../ui/state/use-list.js';

const pauseMs = 250;

export function useMembers(first: number) {
  const [written, setWritten] = useState('');
  const [search, setSearch] = useState('');
  const members = useList(membersQuery, { search, first }, (found) => found.members);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(written.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [written]);
  return { written, setWritten, members };
}
