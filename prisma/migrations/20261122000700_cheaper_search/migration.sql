-- Folding, searching and showing a text take less time: what costs most is each match of a regular expression that is
-- replaced, and each part that is cut from far inside of a long text. So nothing is replaced that stays what it is, parts are cut
-- from parts, and what is still costly is counted and bounded. Ordinary text is searched as before; rows keep what they have.

-- Compatibility forms and accents go, where bound_marks was applied already. What is decomposed is composed again only where there is
-- something that composes: the blocks of Unicode 17 that hold the second part of a composition, and their neighbours.
CREATE OR REPLACE FUNCTION public.fold_bounded(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  letters text := value;
BEGIN
  IF octet_length(value) > length(value) THEN
    letters := regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g');
    IF letters ~ '[\u0653-\u0655\u0900-\u0dff\u0f00-\u11ff\u1700-\u1cff\u3099\u309a\ua800-\uabff\U00010300-\U0001efff]' THEN letters := normalize(letters, NFKC); END IF;
  END IF;
  RETURN CASE WHEN strpos(letters, E'\u0001') > 0 THEN translate(letters, E'\u0001', '') ELSE letters END;
END $$;

CREATE OR REPLACE FUNCTION public.fold_letters(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT CASE WHEN octet_length(value) = length(value) THEN value ELSE public.fold_bounded(public.bound_marks(value)) END;
END;

CREATE OR REPLACE FUNCTION public.fold_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT regexp_replace(public.fold_letters(value), '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]', ' \& ', 'g');
END;

-- As it was, with the work counted as it was measured: 1 for a word, some 3 for a character of a script without spaces, 4 for a
-- sign between words, 2 for what folding takes away or adds, and a quarter for each byte above one that a character has.
CREATE OR REPLACE FUNCTION public.searched_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  size CONSTANT int := least(length(value), 100000);
  done int := 0;
  work int := 0;
  words text := '';
  -- The characters from `part_start` to `part_end`, of which the pieces are cut.
  part text := '';
  part_start int := 0;
  part_end int := 0;
  piece text;
  bounded text;
  letters text;
  spaces int;
BEGIN
  WHILE done < size AND work < 80000 AND length(words) < 150000 LOOP
    IF done + 4000 > part_end AND part_end < size THEN
      part := substr(value, done + 1, 24000);
      part_start := done;
      part_end := done + 24000;
    END IF;
    piece := substr(part, done - part_start + 1, least(4000, size - done));
    IF done + 4000 < size THEN
      piece := left(piece, length(piece) - coalesce(length(substring(right(piece, 100) FROM
        '[\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3][^\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$')), 0));
    END IF;
    done := done + length(piece);
    letters := piece;
    IF octet_length(piece) > length(piece) THEN
      bounded := public.bound_marks(piece);
      work := work + 100 * (length(bounded) - length(piece));
      letters := public.fold_bounded(bounded);
      -- Marks that have to be moved or taken away, and letters that unfold.
      work := work + 2 * abs(octet_length(piece) - octet_length(letters)) + (octet_length(piece) - length(piece)) / 4;
      IF letters ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]' THEN
        letters := regexp_replace(letters, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]', ' \& ', 'g');
      END IF;
    END IF;
    spaces := length(letters) - length(replace(letters, ' ', ''));
    -- All but the space, which is what they become.
    letters := regexp_replace(letters, '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g');
    work := work + 4 * (length(letters) - length(replace(letters, ' ', ''))) - 3 * spaces;
    words := words || letters;
  END LOOP;
  -- PostgreSQL limits a search vector to 1 MiB.
  RETURN left(words, 150000);
END $$;

-- How well a text that is folded seems to hold the words. A word counts twice where `patterns` finds it as one, and not within a
-- longer one.
CREATE FUNCTION public.folded_weight(folded text, lexemes text[], patterns text[]) RETURNS int LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  weight int := 0;
BEGIN
  FOR place IN 1 .. cardinality(lexemes) LOOP
    IF strpos(folded, lexemes[place]) > 0 THEN
      weight := weight + 1 + (folded ~ patterns[place])::int;
    END IF;
  END LOOP;
  RETURN weight;
END $$;

CREATE OR REPLACE FUNCTION public.search_weight(value text, lexemes text[], patterns text[]) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT public.folded_weight(lower(public.fold_letters(value)), lexemes, patterns);
END;

-- The two parts of 2,000 characters that seem to hold the words best, as their beginnings, the best one first: of as much of the
-- text as is searched.
CREATE FUNCTION public.search_blocks(value text, lexemes text[], patterns text[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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
    EXIT WHEN work > 35000 OR second_weight = 2 * cardinality(lexemes);
    IF start + 2050 > part_end THEN
      part := substr(value, start, 22050);
      part_start := start;
      part_end := start + 22050;
    END IF;
    block := substr(part, start - part_start + 1, 2050);
    folded := lower(public.fold_letters(block));
    work := work + abs(octet_length(block) - octet_length(folded)) + (octet_length(block) - length(block)) / 4;
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

-- As it was, with the parts that search_blocks finds.
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
  -- A text of signs that unfold into words (U+FDFA is 18 characters) is looked at in its first part alone.
  IF octet_length(value) > 20000 AND octet_length(value) > 1.2 * length(value)
    AND length(value) - length(translate(value, U&'\321D\321E\3307\3313\3315\3316\3319\331A\332B\332E\3332\3334\334A\3356\33AF\FDFA\FDFB', '')) > 2000 THEN
    value := left(value, 10000);
  -- Nor is more searched of a text in a script that is written without spaces.
  ELSIF octet_length(value) > 2.2 * length(value) THEN
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
