-- What is left of the cost of a hostile text. Rows keep what they have, as with 20261122000200_bounded_search.

-- Compatibility forms and accents go, where bound_marks was applied already.
CREATE FUNCTION public.fold_bounded(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT CASE WHEN octet_length(value) = length(value) AND strpos(value, E'\u0001') = 0 THEN value ELSE
    translate(normalize(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g'), NFKC), E'\u0001', '') END;
END;

-- As it was, and a run of marks that had to be cut counts as much as fifty words: no language has one.
CREATE OR REPLACE FUNCTION public.searched_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  size CONSTANT int := least(length(value), 100000);
  done int := 0;
  work int := 0;
  words text := '';
  piece text;
  bounded text;
  folded text;
BEGIN
  WHILE done < size AND work < 60000 AND length(words) < 150000 LOOP
    piece := substr(value, done + 1, least(4000, size - done));
    IF done + 4000 < size THEN
      piece := left(piece, length(piece) - coalesce(length(substring(right(piece, 100) FROM
        '[\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3][^\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$')), 0));
    END IF;
    done := done + length(piece);
    bounded := CASE WHEN octet_length(piece) = length(piece) THEN piece ELSE public.bound_marks(piece) END;
    work := work + 100 * (length(bounded) - length(piece));
    folded := public.fold_bounded(bounded);
    work := work + greatest(octet_length(piece) - octet_length(folded), 0);
    folded := regexp_replace(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])|[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' \1 ', 'g');
    work := work + length(folded) - length(replace(folded, ' ', ''));
    words := words || folded;
  END LOOP;
  -- PostgreSQL limits a search vector to 1 MiB.
  RETURN left(words, 150000);
END $$;

-- As it was, but for its first condition.
CREATE OR REPLACE FUNCTION public.search_excerpt(value text, query tsquery, most int) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words CONSTANT tsquery := public.search_words(query);
  gap CONSTANT text := '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]';
  lexemes text[];
  patterns text[];
  near int;
  parts jsonb;
BEGIN
  -- A text of signs that unfold into words (U+FDFA is 18 characters) is looked at in its first part alone.
  IF octet_length(value) > 20000 AND length(value) - length(translate(value, U&'\321D\321E\3307\3313\3315\3316\3319\331A\332B\332E\3332\3334\334A\3356\33AF\FDFA\FDFB', '')) > 2000 THEN
    value := left(value, 10000);
  -- Nor is more searched of a text in a script that is written without spaces.
  ELSIF octet_length(value) > 2.2 * length(value) THEN
    value := left(value, 40000);
  END IF;
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
