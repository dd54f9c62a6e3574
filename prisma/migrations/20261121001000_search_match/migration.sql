-- ── Where a search has hit ───────────────────────────────────────────────────────────────────────────────────────────
-- What may be marked in a text is decided by the same folding that found it, word by word: so accents, scripts without
-- spaces and prefixes are marked as they are found. Only a part of the text is looked at like that, because it costs more.

-- The words of a query that may be marked, as a query that each of them satisfies: all but what is negated. Null where
-- there are none.
CREATE FUNCTION search_words(query tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT string_agg(word[1], ' | ')::tsquery
  FROM regexp_matches(regexp_replace(query::text, '!(\( [^()]* \)|''[^'']*''(:\*)?)', '', 'g'), '''[^'']+''(?::\*)?', 'g') AS word
$$;

-- How well a text seems to hold the words: it is folded as a whole, and that only where it has to be. A word counts twice
-- where `patterns` finds it as one, and not within a longer one.
CREATE FUNCTION search_weight(value text, lexemes text[], patterns text[]) RETURNS int LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded CONSTANT text := lower(CASE WHEN octet_length(value) = length(value) THEN value ELSE fold_words(value) END);
  weight int := 0;
BEGIN
  FOR place IN 1 .. cardinality(lexemes) LOOP
    IF strpos(folded, lexemes[place]) > 0 THEN
      weight := weight + 1 + (folded ~ patterns[place])::int;
    END IF;
  END LOOP;
  RETURN weight;
END $$;

-- At most so many characters of a text, from a little before the place on where the words stand closest together among the
-- 200 characters from `near` on: the words and what is between them, as [text, whether it is a hit]. A text that is short
-- enough is given whole. What the window has cut at its edges is no word.
CREATE FUNCTION search_parts(value text, near int, words tsquery, most int) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH around AS (
    SELECT near <= 60 AS is_start, greatest(near - 60, 1) + most + 260 > length(value) AS is_end,
      substr(value, greatest(near - 60, 1), most + 260) AS text),
  segment AS (
    SELECT place, coalesce(piece[1], piece[2]) AS text, piece[1] IS NULL AS is_gap,
      sum(length(coalesce(piece[1], piece[2]))) OVER (ORDER BY place) - length(coalesce(piece[1], piece[2])) AS start,
      (is_start OR place > 1) AND (is_end OR lead(place) OVER (ORDER BY place) IS NOT NULL) AS is_whole
    FROM around, regexp_matches(around.text,
      -- A character of a script that is written without spaces, or a word; or what stands between words.
      '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'
      '|[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u3000-\u303f'
      '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)'
      '|([\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u3000-\u303f]+)',
      'g') WITH ORDINALITY AS pieces (piece, place)),
  marked AS (
    SELECT *, CASE WHEN is_whole AND NOT is_gap THEN coalesce(search_vector(text) @@ words, false) ELSE false END AS is_hit
    FROM segment),
  dense AS (
    SELECT start, is_hit,
      count(*) FILTER (WHERE is_hit) OVER (ORDER BY start RANGE BETWEEN CURRENT ROW AND 100 FOLLOWING) AS hits FROM marked),
  best AS (SELECT start FROM dense WHERE is_hit AND start < 260 ORDER BY hits DESC, start LIMIT 1),
  first AS (
    SELECT coalesce(min(marked.start), 0) AS start FROM marked, best
    WHERE is_whole AND NOT is_gap AND marked.start >= best.start - 40 AND length(value) > most),
  shown AS (
    SELECT place, left(text, (first.start + most - marked.start)::int) AS text, is_hit FROM marked, first
    WHERE marked.start >= first.start AND marked.start < first.start + most
      -- Only what is longer than words are is cut.
      AND (marked.start + length(text) <= first.start + most OR length(text) > 40))
  SELECT jsonb_agg(jsonb_build_array(text, is_hit) ORDER BY place) FROM (
    SELECT 0 AS place, '…' AS text, false AS is_hit FROM around, first WHERE NOT is_start OR first.start > 0
    UNION ALL SELECT place, text, is_hit FROM shown
    UNION ALL SELECT 1000000, '…', false FROM around, first
      WHERE NOT is_end OR first.start + (SELECT sum(length(text)) FROM shown) < length(around.text)) AS parts
$$;

-- The same of the place in the text that holds most of the words, and there first of one that satisfies the query as it is.
-- Null for an empty text.
CREATE FUNCTION search_excerpt(value text, query tsquery, most int) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words CONSTANT tsquery := search_words(query);
  gap CONSTANT text := '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]';
  lexemes text[];
  patterns text[];
  near int;
  parts jsonb;
BEGIN
  IF length(value) > most AND words IS NOT NULL THEN
    SELECT array_agg(word[1]), array_agg('(^|' || gap || ')' || word[1] || CASE WHEN word[2] IS NULL THEN '($|' || gap || ')' ELSE '' END)
      INTO lexemes, patterns FROM regexp_matches(words::text, '''([^'']+)''(:\*)?', 'g') AS word;
    FOR near IN
      WITH block AS (
        SELECT start, text FROM generate_series(1, length(value), 2000) AS start,
          LATERAL (SELECT substr(value, start, 2050) AS text OFFSET 0) AS cut
        ORDER BY search_weight(text, lexemes, patterns) DESC, start LIMIT 2),
      piece AS (
        SELECT block.start + place - 1 AS start, cut.text, search_weight(cut.text, lexemes, patterns) AS weight
        FROM block, generate_series(1, length(block.text), 150) AS place,
          LATERAL (SELECT substr(block.text, place, 200) AS text OFFSET 0) AS cut
        ORDER BY weight DESC, start LIMIT 4)
      SELECT start FROM piece WHERE weight > 0
      ORDER BY (cardinality(lexemes) = 1 OR search_vector(text) @@ query) DESC, weight DESC, start
    LOOP
      parts := search_parts(value, near, words, most);
      -- A place may only seem to hold a word: the beginning of a longer one, cut there.
      IF parts @> '[[true]]' THEN RETURN parts; END IF;
    END LOOP;
  END IF;
  RETURN search_parts(value, 1, words, most);
END $$;

-- ── The archive as a list of its own ─────────────────────────────────────────────────────────────────────────────────
-- Few threads of a long list may be archived: without these it would be read to its end for a page of them.
CREATE INDEX thread_archived_by_update ON thread (organization_id, updated_at, id) WHERE archived;
CREATE INDEX thread_archived_by_creation ON thread (organization_id, created_at, id) WHERE archived;
