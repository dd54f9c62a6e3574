-- No text takes a statement long, whatever is in it: what costs most is to fold and to compress it. Ordinary text is searched as before,
-- but less of a very long one where that takes more work: some 55,000 characters of Korean, 60,000 of Vietnamese, and 25,000 of a
-- script without spaces. Rows keep the vectors they have.

-- A text that repeats itself takes twice as long to compress as to store, and not every PostgreSQL has a faster compression than its own
-- (lz4 is left out of the embedded one). So long contents and vectors are stored as they are; those below 2 kB always were.
ALTER TABLE public.message ALTER COLUMN contents SET STORAGE EXTERNAL, ALTER COLUMN search SET STORAGE EXTERNAL;
ALTER TABLE public.token_chunk ALTER COLUMN body SET STORAGE EXTERNAL;

-- Composes what was decomposed, of which the accents are gone: only where there is something that composes, in the blocks of Unicode 17
-- that hold the second part of a composition, and their neighbours.
CREATE FUNCTION public.compose_letters(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  letters text := value;
BEGIN
  IF letters ~ '[\u0653-\u0655\u0900-\u0dff\u0f00-\u11ff\u1700-\u1cff\u3099\u309a\ua800-\uabff\U00010300-\U0001efff]' THEN letters := normalize(letters, NFKC); END IF;
  RETURN CASE WHEN strpos(letters, E'\u0001') > 0 THEN translate(letters, E'\u0001', '') ELSE letters END;
END $$;

-- As it was, with compose_letters.
CREATE OR REPLACE FUNCTION public.fold_bounded(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT public.compose_letters(
    CASE WHEN octet_length(value) > length(value) THEN regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g') ELSE value END);
END;

-- As it was, with the work counted in units of 50 ns, as it was measured: 5 for a character, 8 for a word, 12 more for a sign between
-- words, 20 for a character of a script without spaces, 2 for each byte above one that a character has, 2 for each character that
-- taking letters apart adds, 12 for an accent that goes, and 300 for a run of marks that has to be cut. 720,000 are as much as 25,000
-- Chinese characters. Pieces are so small that the last one, too, costs little.
CREATE OR REPLACE FUNCTION public.searched_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  size CONSTANT int := least(length(value), 100000);
  spaceless CONSTANT text := '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]';
  gap CONSTANT text := '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+';
  done int := 0;
  work int := 0;
  words text := '';
  -- Kept, because counting the characters of a text takes time with its length, and so does cutting a part from it.
  words_length int := 0;
  -- The characters from `part_start` to `part_end`, of which the pieces are cut.
  part text := '';
  part_start int := 0;
  part_end int := 0;
  piece text;
  bounded text;
  unfolded text;
  stripped text;
  letters text;
  length_before int;
  length_spaced int;
  spaces int;
BEGIN
  WHILE done < size AND work < 720000 AND words_length < 150000 LOOP
    IF done + 2000 > part_end AND part_end < size THEN
      part := substr(value, done + 1, 14000);
      part_start := done;
      part_end := done + 14000;
    END IF;
    piece := substr(part, done - part_start + 1, least(2000, size - done));
    IF done + 2000 < size THEN
      piece := left(piece, length(piece) - coalesce(length(substring(reverse(right(piece, 100)) FROM
        '^[^\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*[\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]')), 0));
    END IF;
    done := done + length(piece);
    letters := piece;
    IF octet_length(piece) > length(piece) THEN
      bounded := public.bound_marks(piece);
      unfolded := normalize(bounded, NFKD);
      stripped := regexp_replace(unfolded, '[\u0300-\u036f]+', '', 'g');
      letters := public.compose_letters(stripped);
      work := work + 300 * (length(bounded) - length(piece)) + 2 * abs(length(unfolded) - length(bounded))
        + 12 * (length(unfolded) - length(stripped)) + 2 * (octet_length(piece) - length(piece));
    END IF;
    length_before := length(letters);
    spaces := length_before - length(replace(letters, ' ', ''));
    length_spaced := length_before;
    IF letters ~ spaceless THEN
      letters := regexp_replace(letters, spaceless, ' \& ', 'g');
      length_spaced := length(letters);
      work := work + 10 * (length_spaced - length_before);
    END IF;
    -- All but the space, which is what they become.
    letters := regexp_replace(letters, gap, ' ', 'g');
    work := work + 5 * length_before + 8 * spaces + 20 * (length(letters) - length(replace(letters, ' ', '')) - spaces - length_spaced + length_before);
    words := words || letters;
    words_length := words_length + length(letters);
  END LOOP;
  -- PostgreSQL limits a search vector to 1 MiB.
  RETURN left(words, 150000);
END $$;

-- As it was, with less work: more of the characters that folding adds or changes are counted.
CREATE OR REPLACE FUNCTION public.search_blocks(value text, lexemes text[], patterns text[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  part text := '';
  part_start int := 1;
  part_end int := 0;
  block text;
  folded text;
  work int := 0;
  weight int;
  best int := 1;
  best_weight int := -1;
  second int;
  second_weight int := -1;
BEGIN
  FOR start IN 1 .. length(value) BY 2000 LOOP
    -- No later part holds more than all words: the first of those that hold as many is the best.
    EXIT WHEN work > 20000 OR second_weight = 2 * cardinality(lexemes);
    IF start + 2050 > part_end THEN
      part := substr(value, start, 14050);
      part_start := start;
      part_end := start + 14050;
    END IF;
    block := substr(part, start - part_start + 1, 2050);
    folded := lower(public.fold_letters(block));
    work := work + abs(octet_length(block) - octet_length(folded)) + abs(length(block) - length(folded)) + (octet_length(block) - length(block)) / 4;
    weight := public.folded_weight(folded, lexemes, patterns);
    IF weight > best_weight THEN
      second := best;
      second_weight := best_weight;
      best := start;
      best_weight := weight;
    ELSIF weight > second_weight THEN
      second := start;
      second_weight := weight;
    END IF;
  END LOOP;
  RETURN CASE WHEN second_weight < 0 THEN ARRAY[best] ELSE ARRAY[best, second] END;
END $$;

-- As it was, without a count of its own of the signs that unfold into words, which search_blocks has now.
CREATE OR REPLACE FUNCTION public.search_excerpt(value text, query tsquery, most int) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words CONSTANT tsquery := public.search_words(query);
  -- A character of a script without spaces is a word, and ends one.
  gap CONSTANT text := '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]';
  spaceless CONSTANT text := '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]';
  lexemes text[];
  patterns text[];
  near int;
  parts jsonb;
BEGIN
  -- Of a text in a script that is written without spaces, no more is searched.
  IF octet_length(value) > 2.2 * length(value) THEN
    value := left(value, 40000);
  END IF;
  IF length(value) > most AND words IS NOT NULL THEN
    SELECT array_agg(word[1]), array_agg(
        CASE WHEN word[1] ~ spaceless THEN word[1] ELSE '(^|' || gap || ')' || word[1] || CASE WHEN word[2] IS NULL THEN '($|' || gap || ')' ELSE '' END END)
      INTO lexemes, patterns FROM regexp_matches(words::text, '''([^'']+)''(:\*)?', 'g') AS word;
    FOR near IN
      WITH block AS (
        SELECT start, text FROM unnest(public.search_blocks(value, lexemes, patterns)) AS start,
          LATERAL (SELECT substr(value, start, 2050) AS text OFFSET 0) AS cut),
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

-- The words of a part of a text that has no gap, as they are searched: as `search_vector` has them, for less.
CREATE FUNCTION public.segment_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT to_tsvector('pg_catalog.simple'::regconfig,
    regexp_replace(public.fold_words(value), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'));
END;

-- As it was, with segment_vector.
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
    SELECT *, CASE WHEN is_whole AND NOT is_gap THEN coalesce(public.segment_vector(text) @@ words, false) ELSE false END AS is_hit
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
