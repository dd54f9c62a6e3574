-- A search finds a thread by the title that the model gave it, too, as long as nobody has named it. The vector of a thread depends on
-- two columns now, and a generated column cannot be given another expression without writing the table anew. So a trigger keeps it;
-- dropping the expression changes the catalog alone. Threads that had a title before are reached in the background
-- (`src/process/search-rebuild.ts`).

ALTER TABLE public.thread ALTER COLUMN search DROP EXPRESSION;
-- What `search_vector` makes of no name: most threads are created without one.
ALTER TABLE public.thread ALTER COLUMN search SET DEFAULT '''Folded'''::tsvector;

CREATE FUNCTION public.index_thread_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := public.search_vector(coalesce(NEW.name, NEW.generated_name));
  RETURN NEW;
END $$;
CREATE TRIGGER thread_created_with_name BEFORE INSERT ON public.thread FOR EACH ROW
  WHEN (NEW.name IS NOT NULL OR NEW.generated_name IS NOT NULL) EXECUTE FUNCTION public.index_thread_names();
CREATE TRIGGER thread_named BEFORE UPDATE OF name, generated_name ON public.thread FOR EACH ROW
  EXECUTE FUNCTION public.index_thread_names();

DELETE FROM public.search_rebuild WHERE table_name = 'thread';
