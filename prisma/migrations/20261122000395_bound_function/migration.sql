-- It names a table without its schema, and may run where the search_path is empty (see 20261122000210_qualified_functions).
ALTER FUNCTION public.refuse_second_account() SET search_path = pg_catalog, public;
