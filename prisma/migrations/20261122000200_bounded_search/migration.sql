-- Searching takes time in proportion to a text, whatever is in it. Every function here that another one of ours calls is named with
-- its schema, or bound when it is created (BEGIN ATOMIC): pg_restore, pg_upgrade and logical replication compute generated
-- columns with an empty search_path.
--
-- Rows that are stored already keep their vectors: for ordinary text the new ones are the same. Those of hostile texts, and of texts
-- with more than some 30,000 words, change when their row is written again or restored.

-- Sorting the combining marks of a run takes time with the square of its length. So a sign that no mark passes is put
-- after each 16 of a run, which fold_letters takes out again. Real text has no such runs. Listed are the marks of Unicode 17
-- that are sorted (a canonical combining class other than 0), and some neighbours, which do no harm.
CREATE FUNCTION public.bound_marks(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT regexp_replace(translate(value, E'\u0001', E'\u0002'),
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd'
    '\u0816-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u0902\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd'
    '\u0c3c\u0c4d-\u0c56\u0cbc\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18\u0f19\u0f35\u0f37\u0f39'
    '\u0f71-\u0f87\u0fc6\u1037-\u103a\u108d\u135d-\u135f\u1714\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17\u1a18\u1a60-\u1aff'
    '\u1b34-\u1b44\u1b6b-\u1b73\u1baa\u1bab\u1be6-\u1bf3\u1c37\u1cd0-\u1cf9\u1dc0-\u1dff\u20d0-\u20ff\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f'
    '\u3099\u309a\ua66f-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3-\ua9c0\uaab0-\uaac1\uaaf6\uabed'
    '\ufb1e\ufe20-\ufe2f\U000101fd-\U0001e94f]{16}',
    E'\\&\u0001', 'g');
END;

-- Compatibility forms and accents go.
CREATE FUNCTION public.fold_letters(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT CASE WHEN octet_length(value) = length(value) THEN value ELSE
    translate(
      normalize(regexp_replace(normalize(public.bound_marks(value), NFKD), '[\u0300-\u036f]+', '', 'g'), NFKC),
      E'\u0001', '') END;
END;

-- The same, and scripts that are written without spaces are cut into characters.
CREATE OR REPLACE FUNCTION public.fold_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT regexp_replace(public.fold_letters(value), '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');
END;

-- The words of a text as they are searched, with spaces between them: of its first 100,000 characters, and of fewer where these
-- take more work than a text of any language does: 60,000 of "work" are some 30,000 words, and each accent counts. It goes piece by
-- piece, so that what is beyond that costs nothing. A piece ends before a letter that no mark joins to the one before it, where there
-- is one among its last hundred characters, so that each piece folds as it would within the whole.
CREATE FUNCTION public.searched_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  size CONSTANT int := least(length(value), 100000);
  done int := 0;
  work int := 0;
  words text := '';
  piece text;
  folded text;
BEGIN
  WHILE done < size AND work < 60000 AND length(words) < 150000 LOOP
    piece := substr(value, done + 1, least(4000, size - done));
    IF done + 4000 < size THEN
      piece := left(piece, length(piece) - coalesce(length(substring(right(piece, 100) FROM
        '[\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3][^\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$')), 0));
    END IF;
    done := done + length(piece);
    folded := public.fold_letters(piece);
    work := work + greatest(octet_length(piece) - octet_length(folded), 0);
    folded := regexp_replace(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])|[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' \1 ', 'g');
    work := work + length(folded) - length(replace(folded, ' ', ''));
    words := words || folded;
  END LOOP;
  -- PostgreSQL limits a search vector to 1 MiB.
  RETURN left(words, 150000);
END $$;

CREATE OR REPLACE FUNCTION public.search_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT to_tsvector('pg_catalog.simple'::regconfig, public.searched_words(coalesce(value, '')));
END;

CREATE OR REPLACE FUNCTION public.message_search_vector(contents jsonb) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT public.search_vector((
    SELECT left(string_agg(coalesce(block ->> 'text', block ->> 'question'), ' ' ORDER BY place), 100000)
    FROM jsonb_array_elements(contents) WITH ORDINALITY AS blocks (block, place)));
END;

-- As it was, and the first 64 words of a query count: each costs something in every text that is looked at.
CREATE OR REPLACE FUNCTION public.search_query(value text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text := regexp_replace(public.fold_words(left(value, 500)), '[\u0001-\u0021\u0023-\u002c\u002e\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g');
  parsed tsquery;
BEGIN
  -- A dash negates only what it touches: neither inside of a word ("red-wine") nor alone ("red - wine") does it.
  words := regexp_replace(words, '([^[:space:]"])-', '\1 ', 'g');
  words := regexp_replace(words, '-(?=[[:space:]]|$)', ' ', 'g');
  words := array_to_string((regexp_split_to_array(ltrim(words), ' +'))[:64], ' ');
  parsed := websearch_to_tsquery('pg_catalog.simple'::regconfig, words);
  IF numnode(parsed) = 0 THEN RETURN NULL; END IF;
  IF words ~ '"[[:space:]]*$'                                     -- the last word is quoted,
    OR length(regexp_replace(words, '[^"]', '', 'g')) % 2 = 1     -- or inside a phrase still being typed,
    OR words ~ '(^|[[:space:]])-[[:space:]]*[^[:space:]]*[[:space:]]*$' -- or negated,
    OR parsed::text ~ '\)$'                                      -- or a group: then nothing is a prefix
  THEN RETURN parsed; END IF;
  RETURN (parsed::text || ':*')::tsquery;
END $$;

-- As it was, and the first 16 words are marked: each costs something in every part of a text that is looked at.
CREATE OR REPLACE FUNCTION public.search_words(query tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT string_agg(word[1], ' | ')::tsquery FROM (
    SELECT word
    FROM regexp_matches(regexp_replace(query::text, '!(\( [^()]* \)|''[^'']*''(:\*)?)', '', 'g'), '''[^'']+''(?::\*)?', 'g')
      WITH ORDINALITY AS words (word, place)
    ORDER BY place LIMIT 16) AS first;
END;

-- How well a text seems to hold the words: it is folded as a whole, and that only where it has to be. A word counts twice
-- where `patterns` finds it as one, and not within a longer one.
CREATE OR REPLACE FUNCTION public.search_weight(value text, lexemes text[], patterns text[]) RETURNS int LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded CONSTANT text := lower(CASE WHEN octet_length(value) = length(value) THEN value ELSE public.fold_words(value) END);
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
CREATE OR REPLACE FUNCTION public.search_parts(value text, near int, words tsquery, most int) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
    SELECT *, CASE WHEN is_whole AND NOT is_gap THEN coalesce(public.search_vector(text) @@ words, false) ELSE false END AS is_hit
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
CREATE OR REPLACE FUNCTION public.search_excerpt(value text, query tsquery, most int) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words CONSTANT tsquery := public.search_words(query);
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
        ORDER BY public.search_weight(text, lexemes, patterns) DESC, start LIMIT 2),
      piece AS (
        SELECT block.start + place - 1 AS start, cut.text, public.search_weight(cut.text, lexemes, patterns) AS weight
        FROM block, generate_series(1, length(block.text), 150) AS place,
          LATERAL (SELECT substr(block.text, place, 200) AS text OFFSET 0) AS cut
        ORDER BY weight DESC, start LIMIT 4)
      SELECT start FROM piece WHERE weight > 0
      ORDER BY (cardinality(lexemes) = 1 OR public.search_vector(text) @@ query) DESC, weight DESC, start
    LOOP
      parts := public.search_parts(value, near, words, most);
      -- A place may only seem to hold a word: the beginning of a longer one, cut there.
      IF parts @> '[[true]]' THEN RETURN parts; END IF;
    END LOOP;
  END IF;
  RETURN public.search_parts(value, 1, words, most);
END $$;
