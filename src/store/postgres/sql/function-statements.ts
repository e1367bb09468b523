import { MAX_KEY_LENGTH } from "./sort-key.ts";

/** The definition of a database function; `@` in its body stands for the schema. */
interface DatabaseFunction {
  readonly signature: string;
  readonly returns: string;
  readonly language: "sql" | "plpgsql";
  readonly body: string;
}

/**
 * The parts of the query language that SQL lacks, as functions of the database. Each has its counterpart in src/query,
 * and a test that both agree.
 */
const FUNCTIONS: readonly DatabaseFunction[] = [
  // Formats numbers like JavaScript: with an exponent from 1e21 on and below 1e-6.
  {
    signature: "number_text(value numeric)",
    returns: "text",
    language: "plpgsql",
    body: `DECLARE
         size numeric := abs(value);
         digits text;
         zeros int;
       BEGIN
         IF value = 0 OR (size >= 0.000001 AND size < 1e21) THEN RETURN trim_scale(value)::text; END IF;
         digits := trim_scale(size)::text;
         IF size >= 1 THEN
           zeros := length(digits) - 1;
           digits := rtrim(digits, '0');
         ELSE
           digits := substr(digits, 3);
           zeros := length(digits) - length(ltrim(digits, '0')) + 1;
           digits := ltrim(digits, '0');
         END IF;
         RETURN CASE WHEN value < 0 THEN '-' ELSE '' END || left(digits, 1)
           || CASE WHEN length(digits) > 1 THEN '.' || substr(digits, 2) ELSE '' END
           || CASE WHEN size >= 1 THEN 'e+' ELSE 'e-' END || zeros;
       END`,
  },
  {
    signature: "text_of(value jsonb)",
    returns: "text",
    language: "plpgsql",
    body: `BEGIN
         CASE jsonb_typeof(value)
           WHEN 'string' THEN RETURN value #>> '{}';
           WHEN 'number' THEN RETURN @number_text(value::numeric);
           WHEN 'boolean' THEN RETURN value::text;
           WHEN 'null' THEN RETURN '';
           WHEN 'object' THEN RETURN '[object Object]';
           WHEN 'array' THEN
             RETURN coalesce((SELECT string_agg(@text_of(e.value), ',' ORDER BY e.position)
               FROM jsonb_array_elements(value) WITH ORDINALITY AS e(value, position)), '');
           ELSE RETURN NULL;
         END CASE;
       END`,
  },
  {
    signature: "full_key(value jsonb)",
    returns: "text",
    language: "sql",
    body: `SELECT CASE jsonb_typeof(value)
         WHEN 'number' THEN CASE WHEN value::float8 >= 0
           THEN '1p' || rtrim(encode(float8send(value::float8), 'hex'), '0')
           ELSE '1n' || translate(encode(float8send(-value::float8), 'hex'), '0123456789abcdef', 'fedcba9876543210') END
         WHEN 'string' THEN '2' || (value #>> '{}')
         WHEN 'boolean' THEN '3' || (value #>> '{}')
         WHEN 'null' THEN '5'
         WHEN 'array' THEN '4' || @text_of(value)
         WHEN 'object' THEN '4' || @text_of(value)
         ELSE '6' END`,
  },
  {
    signature: "sort_key(value jsonb)",
    returns: "text",
    language: "sql",
    body: `SELECT left(@full_key(value), ${MAX_KEY_LENGTH + 1})`,
  },
  // The sort keys of every value that has this text.
  {
    signature: "keys_of(value text)",
    returns: "text[]",
    language: "plpgsql",
    body: `BEGIN
         IF value ~ '^-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-][0-9]{1,3})?$' AND abs(value::numeric) < 1.7e308
           AND @number_text(value::numeric) = value THEN
           RETURN ARRAY['2' || value, '4' || value, @full_key(to_jsonb(value::numeric))];
         END IF;
         IF value IN ('true', 'false') THEN RETURN ARRAY['2' || value, '4' || value, '3' || value]; END IF;
         RETURN ARRAY['2' || value, '4' || value];
       END`,
  },
  // The property that a path segment names: a text has characters and a length, like an array.
  {
    signature: "property(value jsonb, name text)",
    returns: "jsonb",
    language: "plpgsql",
    body: `DECLARE
         units text[];
       BEGIN
         CASE jsonb_typeof(value)
           WHEN 'object' THEN RETURN value -> name;
           WHEN 'array' THEN
             IF name = 'length' THEN RETURN to_jsonb(jsonb_array_length(value)); END IF;
             IF name !~ '^(0|[1-9][0-9]{0,8})$' THEN RETURN NULL; END IF;
             RETURN value -> name::int;
           WHEN 'string' THEN
             IF name <> 'length' AND name !~ '^(0|[1-9][0-9]{0,8})$' THEN RETURN NULL; END IF;
             units := ARRAY(SELECT m[1] FROM regexp_matches(value #>> '{}', '\\x01.|.', 'g') AS m);
             IF name = 'length' THEN RETURN to_jsonb(cardinality(units)); END IF;
             RETURN to_jsonb(units[name::int + 1]);
           ELSE RETURN NULL;
         END CASE;
       END`,
  },
  {
    signature: "value_at(record jsonb, path text, segments text[])",
    returns: "jsonb",
    language: "plpgsql",
    body: `DECLARE
         value jsonb := @property(record, path);
         segment text;
       BEGIN
         IF value IS NOT NULL OR cardinality(segments) = 1 THEN RETURN value; END IF;
         value := record;
         FOREACH segment IN ARRAY segments LOOP
           EXIT WHEN value IS NULL;
           value := @property(value, segment);
         END LOOP;
         RETURN value;
       END`,
  },
  // All values that a condition tests: elements of arrays and their joined text, objects as text, never null.
  {
    signature: "scalars(value jsonb)",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         found jsonb[] := '{}';
         element jsonb;
       BEGIN
         CASE jsonb_typeof(value)
           WHEN 'null' THEN RETURN found;
           WHEN 'object' THEN RETURN ARRAY[to_jsonb('[object Object]'::text)];
           WHEN 'array' THEN
             FOR element IN SELECT jsonb_array_elements(value) LOOP
               found := found || @scalars(element);
             END LOOP;
             RETURN found || to_jsonb(@text_of(value));
           ELSE RETURN ARRAY[value];
         END CASE;
       END`,
  },
  {
    signature: "walked(value jsonb, segments text[], depth int)",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         found jsonb[] := '{}';
         following jsonb;
         element jsonb;
       BEGIN
         IF depth > cardinality(segments) THEN RETURN @scalars(value); END IF;
         following := @property(value, segments[depth]);
         IF following IS NOT NULL THEN RETURN @walked(following, segments, depth + 1); END IF;
         IF jsonb_typeof(value) <> 'array' THEN RETURN found; END IF;
         FOR element IN SELECT jsonb_array_elements(value) LOOP
           IF jsonb_typeof(element) IN ('object', 'array') THEN
             found := found || @walked(element, segments, depth);
           END IF;
         END LOOP;
         RETURN found;
       END`,
  },
  {
    signature: "judged(record jsonb, path text, segments text[])",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         literal jsonb;
       BEGIN
         IF cardinality(segments) > 1 THEN
           literal := @property(record, path);
           IF literal IS NOT NULL THEN RETURN @scalars(literal); END IF;
         END IF;
         RETURN @walked(record, segments, 1);
       END`,
  },
  // The values that a path reaches, arrays as a whole.
  {
    signature: "stepped(value jsonb, segments text[], depth int)",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         found jsonb[] := '{}';
         following jsonb;
         element jsonb;
       BEGIN
         IF depth > cardinality(segments) THEN RETURN ARRAY[value]; END IF;
         following := @property(value, segments[depth]);
         IF following IS NOT NULL THEN RETURN @stepped(following, segments, depth + 1); END IF;
         IF jsonb_typeof(value) <> 'array' THEN RETURN found; END IF;
         FOR element IN SELECT jsonb_array_elements(value) LOOP
           IF jsonb_typeof(element) IN ('object', 'array') THEN
             found := found || @stepped(element, segments, depth);
           END IF;
         END LOOP;
         RETURN found;
       END`,
  },
  {
    signature: "reached(record jsonb, path text, segments text[])",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         literal jsonb;
       BEGIN
         IF cardinality(segments) > 1 THEN
           literal := @property(record, path);
           IF literal IS NOT NULL THEN RETURN ARRAY[literal]; END IF;
         END IF;
         RETURN @stepped(record, segments, 1);
       END`,
  },
  // The elements of an array at any depth, objects as text, never null.
  {
    signature: "leaves(value jsonb)",
    returns: "jsonb[]",
    language: "plpgsql",
    body: `DECLARE
         found jsonb[] := '{}';
         element jsonb;
       BEGIN
         CASE jsonb_typeof(value)
           WHEN 'null' THEN RETURN found;
           WHEN 'object' THEN RETURN ARRAY[to_jsonb('[object Object]'::text)];
           WHEN 'array' THEN
             FOR element IN SELECT jsonb_array_elements(value) LOOP
               found := found || @leaves(element);
             END LOOP;
             RETURN found;
           ELSE RETURN ARRAY[value];
         END CASE;
       END`,
  },
  {
    signature: "texts_in(value jsonb)",
    returns: "text[]",
    language: "plpgsql",
    body: `DECLARE
         found text[] := '{}';
         element jsonb;
       BEGIN
         CASE jsonb_typeof(value)
           WHEN 'string' THEN RETURN ARRAY[value #>> '{}'];
           WHEN 'array' THEN
             FOR element IN SELECT jsonb_array_elements(value) LOOP
               found := found || @texts_in(element);
             END LOOP;
             RETURN found;
           ELSE RETURN found;
         END CASE;
       END`,
  },
  {
    signature: "leads_on(value jsonb, segments text[], depth int)",
    returns: "boolean",
    language: "plpgsql",
    body: `DECLARE
         following jsonb;
         element jsonb;
       BEGIN
         IF depth > cardinality(segments) THEN RETURN true; END IF;
         following := @property(value, segments[depth]);
         IF following IS NOT NULL THEN RETURN @leads_on(following, segments, depth + 1); END IF;
         IF jsonb_typeof(value) <> 'array' THEN RETURN false; END IF;
         FOR element IN SELECT jsonb_array_elements(value) LOOP
           IF jsonb_typeof(element) IN ('object', 'array') AND @leads_on(element, segments, depth) THEN RETURN true; END IF;
         END LOOP;
         RETURN false;
       END`,
  },
  {
    signature: "has_path(record jsonb, path text, segments text[])",
    returns: "boolean",
    language: "plpgsql",
    body: `BEGIN
         IF cardinality(segments) > 1 AND @property(record, path) IS NOT NULL THEN RETURN true; END IF;
         RETURN @leads_on(record, segments, 1);
       END`,
  },
];

/**
 * The statements that create the functions. `schema` is the quoted name; bodies name it, because indexes are maintained
 * where no search path is set.
 */
export function functionStatements(schema: string): string[] {
  return FUNCTIONS.map(
    ({ signature, returns, language, body }) =>
      `CREATE OR REPLACE FUNCTION ${schema}.${signature} RETURNS ${returns} LANGUAGE ${language} ` +
      `IMMUTABLE PARALLEL SAFE AS $body$ ${body.replaceAll("@", `${schema}.`)} $body$`,
  );
}
