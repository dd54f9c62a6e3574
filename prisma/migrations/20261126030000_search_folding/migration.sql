-- A search finds what people type: letters that Unicode does not take apart fold to what is typed for them (Łódź, Straße, đường),
-- vowel marks, joiners and soft hyphens go, and C++ and C# are words. Texts and queries are folded here alone.
--
-- A vector that is made from now on holds the lexeme 'Folded', which no text has, because words are in lower case. A query is written
-- in both foldings, each for its own vectors. So old vectors answer as before until the service has made them again, in the
-- background (`src/process/search-rebuild.ts`).

-- Marks and signs that nobody types: accents, the vowel marks of Arabic, Hebrew and Syriac, the tatweel, soft hyphens, joiners,
-- directions, variation selectors, and what transliterations and phonetic spellings add between letters. What has marks is expected to be decomposed.
CREATE FUNCTION public.strip_marks(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT regexp_replace(value,
    '[\u00ad\u02b9-\u02bb\u02bd-\u02bf\u02c8\u02cc\u02d0\u02d1\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640'
    '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff'
    '\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200c-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff'
    '\U000e0000-\U000e0fff]+', '', 'g');
END;

-- Letters as they are typed, in lower case, and the work, in units of 50 ns as it was measured. These are the letters that have no
-- decomposition: with a stroke, a hook or a tail, ligatures, small capitals, and letters with several forms. They follow
-- `unaccent.rules` of PostgreSQL, where it has them. The first character of each text stands for the rest of it. Each group costs
-- something in every part of a text that has one of it, so the letters of living languages are apart from the rare ones.
CREATE FUNCTION public.plain_letters(value text, OUT letters text, OUT work int) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  pair text;
BEGIN
  -- In a Turkish locale the lower case of I is ı.
  letters := lower(replace(value, 'I', 'i'));
  work := 2 * length(letters);
  IF letters ~ '[ÆÐØÞĐĦŁŊŒŦẞΣəǝɛɔɓɗɖƙƴɣƒʋɨʉɩґғқңұүөҗҳҷҙҫҡ]' THEN
    -- A locale that knows no letters beyond ASCII leaves capitals.
    letters := translate(letters, 'ÆÐØÞĐĦŁŊŒŦẞΣ', 'æðøþđħłŋœŧßσ');
    FOREACH pair IN ARRAY ARRAY['əe', 'ǝe', 'ɛe', 'ɔo', 'ɓb', 'ɗd', 'ɖd', 'ƙk', 'ƴy', 'ɣg', 'ƒf', 'ʋv', 'ɨi', 'ʉu', 'ɩi',
      'ґг', 'ғг', 'қк', 'ңн', 'ұу', 'үу', 'өо', 'җж', 'ҳх', 'ҷч', 'ҙз', 'ҫс', 'ҡк'] LOOP
      letters := replace(letters, left(pair, 1), substr(pair, 2));
    END LOOP;
    work := work + 6 * length(letters);
  END IF;
  IF letters ~ '[ßæœþðøđħłŧıĸŋςʼ♯]' THEN
    FOREACH pair IN ARRAY ARRAY['ßss', 'æae', 'œoe', 'þth', 'ðd', 'øo', 'đd', 'ħh', 'łl', 'ŧt', 'ıi', 'ĸq', 'ŋn', 'ςσ', 'ʼ''', '♯#'] LOOP
      letters := replace(letters, left(pair, 1), substr(pair, 2));
    END LOOP;
    work := work + 2 * length(letters);
  END IF;
  -- The forms of alef, yeh, kaf and heh, and digits.
  IF letters ~ '[\u0629\u0649\u0660-\u0669\u0671\u06a9\u06cc\u06f0-\u06f9]' THEN
    letters := translate(letters, E'\u0629\u0649\u0671\u06a9\u06cc٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', E'\u0647\u064a\u0627\u0643\u064a01234567890123456789');
    work := work + 3 * length(letters);
  END IF;
  IF letters ~ '[\u0180-\u02af\u1d00-\u1d9f\u1e9c-\u1eff\u2c60-\u2c7f\ua722-\ua7ff]' THEN
    letters := translate(letters,
      'ƀƃƈƌƚƞƥƫƭƶƿǥȡȥȴȵȶȷȼȿɀɇɉɋɍɏɑɕɟɠɡɢɦɧɪɫɬɭɱɲɳɴɵɼɽɾʀʂʄʈʊʏʐʑʙʛʜʝʟʠᴀᴃᴄᴅᴆᴇᴊᴋᴌᴍᴏᴘᴛᴜᴠᴡᴢᵬᵭᵮᵯᵰᵱᵲᵳᵴᵵᵶᵹᵻᵽᵾᶀᶁᶂᶃᶄᶅᶆᶇᶈᶉᶊᶌᶍᶎᶏᶑᶒᶓᶖᶙẜẝỽỿⱡⱥⱦⱨⱪⱬⱱⱳⱴⱸⱺꜰꜱꝁꝃꝅꝇꝉꝋꝍꝑꝓꝕꝗꝙꝛꝟꝣꝱꝲꝳꝴꝵꝶꝷꝺꝼꞃꞅꞇꞎꞑꞓꞔꞕꞗꞙꞡꞣꞥꞧꞩꞯꞹꟈꟊ',
      'bbcdlnpttzwgdzlntjcszejqryacjggghhilllmnnnorrrrsjtuyzzbghjlqabcddejklmoptuvwzbdfmnprrstzgipubdfgklmnprsvxzadeeiussvylathkzvwveofskkklloopppqqrvzdlmnrrtdfrstlncchbfgknrsquds');
    FOREACH pair IN ARRAY ARRAY['ƕhv', 'ƣoi', 'ȣou', 'ȸdb', 'ȹqp', 'ɶoe', 'ʣdz', 'ʥdz', 'ʦts', 'ʪls', 'ʫlz', 'ᴁae', 'ᵫue', 'ᵺth', 'ỻll', 'ꜩtz', 'ꜳaa', 'ꜵao', 'ꜷau', 'ꜹav', 'ꜻav', 'ꜽay', 'ꝏoo', 'ꝡvy', 'ꝥth', 'ꝧth', 'ꝫet', 'ꝭis', 'ꝸum'] LOOP
      letters := replace(letters, left(pair, 1), substr(pair, 2));
    END LOOP;
    work := work + 24 * length(letters);
  END IF;
END $$;

-- A letter that stands alone with ++, + or # is one word with it, which ends there: C++, C#, A+, C++20.
CREATE FUNCTION public.fold_signs(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  letters text;
BEGIN
  IF strpos(value, '+') = 0 AND strpos(value, '#') = 0 THEN RETURN value; END IF;
  letters := regexp_replace(value,
    '(^|[^0-9A-Za-z\u00c0-\u0dff\u10a0-\u177f\u1800-\u1fff\ua640-\uabff\uac00-\ud7a3])([A-Za-z])(#|\+\+|\+(?![0-9A-Za-z\u00c0-\u0dff\u10a0-\u177f\u1800-\u1fff\ua640-\uabff\uac00-\ud7a3]))', E'\\1\\2\u0001\\3 ', 'g');
  RETURN replace(replace(replace(letters, E'\u0001++', 'plusplus'), E'\u0001#', 'sharp'), E'\u0001+', 'plus');
END $$;

-- A text as it is searched, with what stands between its words, and the work: 2 for each byte above one that a character has, 2 for
-- each character that taking letters apart adds, 12 for each mark that goes, 300 for a run of marks that has to be cut, and some 80 for
-- a letter with a sign.
CREATE FUNCTION public.fold_text(value text, OUT folded text, OUT work int) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  bounded text;
  unfolded text;
  stripped text;
  plain record;
  signed text;
BEGIN
  folded := replace(value, 'I', 'i');
  work := 0;
  IF octet_length(value) > length(value) THEN
    bounded := public.bound_marks(value);
    unfolded := normalize(bounded, NFKD);
    stripped := public.strip_marks(unfolded);
    plain := public.plain_letters(stripped);
    folded := public.compose_letters(plain.letters);
    work := plain.work + 300 * (length(bounded) - length(value)) + 2 * abs(length(unfolded) - length(bounded))
      + 12 * (length(unfolded) - length(stripped)) + 2 * (octet_length(value) - length(value));
  END IF;
  signed := public.fold_signs(folded);
  work := work + 20 * (length(signed) - length(folded));
  folded := signed;
END $$;

-- The words of a short text, with scripts that are written without spaces cut into characters.
CREATE FUNCTION public.text_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT regexp_replace((public.fold_text(value)).folded, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]', ' \& ', 'g');
END;

-- As it was, with fold_text, whose work is counted with the rest: 5 for a character, 8 for a word, 12 more for a sign between words, and
-- 20 for a character of a script without spaces. 900,000 are as much as 30,000 Chinese characters.
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
  piece_end text;
  letters text;
  folding int;
  length_before int;
  length_spaced int;
  spaces int;
BEGIN
  WHILE done < size AND work < 900000 AND words_length < 150000 LOOP
    IF done + 2000 > part_end AND part_end < size THEN
      part := substr(value, done + 1, 14000);
      part_start := done;
      part_end := done + 14000;
    END IF;
    piece := substr(part, done - part_start + 1, least(2000, size - done));
    IF done + 2000 < size THEN
      -- Before a space, or else before a letter that no mark joins to the one before it.
      piece_end := reverse(right(piece, 100));
      piece := left(piece, length(piece) - length(coalesce(substring(piece_end FROM '^[^ \n]*[ \n]'), substring(piece_end FROM
        '^[^\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*[\u0001-\u024f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]'), '')));
    END IF;
    done := done + length(piece);
    SELECT text.folded, text.work INTO letters, folding FROM public.fold_text(piece) AS text;
    work := work + folding;
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

CREATE OR REPLACE FUNCTION public.search_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT to_tsvector('pg_catalog.simple'::regconfig, public.searched_words(coalesce(value, ''))) || '''Folded'''::tsvector;
END;

-- A query for the vectors that were made before this migration.
CREATE FUNCTION public.former_search_query(value text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
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

-- The same for those that are made from now on. A word that begins with a dot is no prefix, either.
CREATE FUNCTION public.folded_search_query(value text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  written CONSTANT text := public.text_words(left(value, 500));
  words text := regexp_replace(written, '[\u0001-\u0021\u0023-\u002c\u002e\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g');
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
    OR written ~ '(^|[[:space:]])\.[^[:space:][:punct:]]+[[:space:]]*$' -- or begins with a dot, as in .net,
    OR parsed::text ~ '\)$'                                      -- or a group: then nothing is a prefix
  THEN RETURN parsed; END IF;
  RETURN (parsed::text || ':*')::tsquery;
END $$;

-- Both: of either kind of vector, a query finds what it means there.
CREATE OR REPLACE FUNCTION public.search_query(value text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded CONSTANT tsquery := public.folded_search_query(value);
  former CONSTANT tsquery := public.former_search_query(value);
  mark CONSTANT tsquery := '''Folded''';
BEGIN
  IF folded::text = former::text OR folded IS NULL THEN RETURN folded; END IF;
  RETURN coalesce((mark && folded) || (!! mark && former), mark && folded);
END $$;

-- As it was, without the lexeme that marks a vector.
CREATE OR REPLACE FUNCTION public.search_words(query tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT string_agg(word[1], ' | ')::tsquery FROM (
    SELECT word
    FROM regexp_matches(regexp_replace(query::text, '!(\( [^()]* \)|''[^'']*''(:\*)?)', '', 'g'), '''[^'']+''(?::\*)?', 'g')
      WITH ORDINALITY AS words (word, place)
    WHERE word[1] <> '''Folded'''
    ORDER BY place LIMIT 16) AS first;
END;

-- As it was, with fold_text.
CREATE OR REPLACE FUNCTION public.search_weight(value text, lexemes text[], patterns text[]) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT public.folded_weight(lower((public.fold_text(value)).folded), lexemes, patterns);
END;

-- As it was, with fold_text and its work.
CREATE OR REPLACE FUNCTION public.search_blocks(value text, lexemes text[], patterns text[]) RETURNS int[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  part text := '';
  part_start int := 1;
  part_end int := 0;
  block text;
  folded text;
  folding int;
  work int := 0;
  weight int;
  best int := 1;
  best_weight int := -1;
  second int;
  second_weight int := -1;
BEGIN
  FOR start IN 1 .. length(value) BY 2000 LOOP
    -- No later part holds more than all words: the first of those that hold as many is the best.
    EXIT WHEN work > 450000 OR second_weight = 2 * cardinality(lexemes);
    IF start + 2050 > part_end THEN
      part := substr(value, start, 14050);
      part_start := start;
      part_end := start + 14050;
    END IF;
    block := substr(part, start - part_start + 1, 2050);
    SELECT lower(text.folded), text.work INTO folded, folding FROM public.fold_text(block) AS text;
    work := work + folding;
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

-- As it was, with text_words.
CREATE OR REPLACE FUNCTION public.segment_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
  SELECT to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(public.text_words(value), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'));
END;

-- As it was, with the words of this folding: with joiners and soft hyphens in them, and letters with signs.
CREATE OR REPLACE FUNCTION public.search_parts(value text, near int, words tsquery, most int) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH around AS (
    SELECT near <= 60 AS is_start, greatest(near - 60, 1) + most + 260 > length(value) AS is_end,
      substr(value, greatest(near - 60, 1), most + 260) AS text),
  segment AS (
    SELECT place, coalesce(piece[1], piece[2]) AS text, piece[1] IS NULL AS is_gap,
      sum(length(coalesce(piece[1], piece[2]))) OVER (ORDER BY place) - length(coalesce(piece[1], piece[2])) AS start,
      (is_start OR place > 1) AND (is_end OR lead(place) OVER (ORDER BY place) IS NOT NULL) AS is_whole
    FROM around, regexp_matches(around.text,
      -- A letter with its sign, a character of a script that is written without spaces, or a word; or what stands between words.
      '([A-Za-z](?:#|\+\+|\+(?![0-9A-Za-z\u00c0-\u0dff\u10a0-\u177f\u1800-\u1fff\ua640-\uabff\uac00-\ud7a3]))'
      '|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'
      '|[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b6-\u00b8\u00bb\u00bf\u2000-\u206f\u3000-\u303f'
      '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'
      '[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b6-\u00b8\u00bb\u00bf\u2000-\u200b\u2010-\u2029\u202f-\u205f\u3000-\u303f'
      '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]*)'
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

-- How far the service has come with making the vectors of each table again: from the newest row to the oldest, in the order of ids.
CREATE TABLE public.search_rebuild (
  table_name TEXT NOT NULL PRIMARY KEY,
  -- The id of the last row that was reached.
  "position" TEXT,
  -- Those that somebody was changing at the time, for the end.
  left_over TEXT[] NOT NULL DEFAULT '{}',
  -- How many rows were reached.
  "rows" INTEGER NOT NULL DEFAULT 0,
  finished_at TIMESTAMPTZ(3)
);

-- As it was, but for the service when it makes a vector again: then nothing changes that anybody sees.
CREATE OR REPLACE FUNCTION public.note_thread_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('skein.rebuilds_search', true) = 'on' THEN RETURN NEW; END IF;
  NEW.changed_xid := pg_current_xact_id()::text::bigint;
  IF TG_OP = 'UPDATE' AND NEW.is_private AND NOT OLD.is_private THEN
    NEW.hidden_xid := NEW.changed_xid;
  END IF;
  PERFORM public.wake('thread_changed', NEW.organization_id || ' ' || NEW.id);
  RETURN NEW;
END $$;
