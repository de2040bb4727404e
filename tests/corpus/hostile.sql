-- policy.statement
INSERT INTO orders VALUES (1)

-- policy.statement
UPDATE orders SET amount = 0

-- policy.statement
DELETE FROM orders

-- policy.statement
MERGE INTO orders USING nums ON id = n WHEN MATCHED THEN DELETE

-- policy.statement
TRUNCATE orders

-- policy.statement
TRUNCATE TABLE orders

-- policy.statement
CREATE TABLE stolen AS SELECT * FROM orders

-- policy.statement
CREATE TABLE stolen (id INTEGER)

-- policy.statement
CREATE OR REPLACE TABLE orders AS SELECT 1

-- policy.statement
CREATE TEMP TABLE x AS SELECT 1

-- policy.statement
CREATE VIEW v AS SELECT * FROM orders

-- policy.statement
CREATE OR REPLACE VIEW orders AS SELECT 1

-- policy.statement
CREATE MACRO f(x) AS x + 1

-- policy.statement
CREATE OR REPLACE TEMP MACRO lower(x) AS getenv(x)

-- policy.statement
CREATE FUNCTION f(x) AS TABLE SELECT * FROM read_text(x)

-- policy.statement
CREATE SCHEMA s

-- policy.statement
CREATE SEQUENCE s

-- policy.statement
CREATE INDEX i ON orders (id)

-- policy.statement
CREATE TYPE mood AS ENUM ('a')

-- policy.statement
CREATE SECRET s (TYPE s3, KEY_ID 'k', SECRET 's')

-- policy.statement
CREATE PERSISTENT SECRET s (TYPE s3)

-- policy.statement
DROP TABLE orders

-- policy.statement
DROP VIEW IF EXISTS v

-- policy.statement
DROP SCHEMA sales CASCADE

-- policy.statement
DROP SECRET s

-- policy.statement
ALTER TABLE orders ADD COLUMN x INTEGER

-- policy.statement
ALTER TABLE orders RENAME TO o

-- policy.statement
COMMENT ON TABLE orders IS 'x'

-- policy.statement
COPY (SELECT 42) TO 'out.csv'

-- policy.statement
COPY orders TO '/tmp/out.parquet' (FORMAT parquet)

-- policy.statement
COPY orders FROM '/etc/passwd'

-- policy.statement
COPY FROM DATABASE a TO b

-- policy.statement
EXPORT DATABASE '/tmp/x'

-- policy.statement
IMPORT DATABASE '/tmp/x'

-- policy.statement
ATTACH 'other.db' AS other

-- policy.statement
ATTACH ':memory:' AS m

-- policy.statement
ATTACH IF NOT EXISTS 'postgres://h/db' AS pg (TYPE postgres)

-- policy.statement
ATTACH OR REPLACE 'x.db' AS memory

-- policy.statement
DETACH memory

-- policy.statement
USE system

-- policy.statement
USE memory.main

-- policy.statement
SET threads = 1

-- policy.statement
SET GLOBAL enable_external_access = true

-- policy.statement
SET SESSION search_path = 'other'

-- policy.statement
SET VARIABLE x = (SELECT content FROM read_text('/etc/passwd'))

-- policy.statement
SET TRANSACTION READ WRITE

-- policy.statement
RESET enable_external_access

-- policy.statement
RESET GLOBAL memory_limit

-- policy.statement
PRAGMA database_list

-- policy.statement
PRAGMA enable_profiling

-- policy.statement
PRAGMA memory_limit = '1TB'

-- policy.statement
PRAGMA table_info('orders')

-- policy.statement
PRAGMA version

-- policy.statement
CALL pragma_version()

-- policy.statement
CALL duckdb_settings()

-- policy.statement
CALL enable_logging()

-- policy.statement
INSTALL httpfs

-- policy.statement
FORCE INSTALL httpfs FROM community

-- policy.statement
LOAD httpfs

-- policy.statement
LOAD '/tmp/evil.duckdb_extension'

-- policy.statement
UPDATE EXTENSIONS

-- policy.statement
UPDATE EXTENSIONS (httpfs)

-- policy.statement
BEGIN

-- policy.statement
BEGIN TRANSACTION

-- policy.statement
START TRANSACTION

-- policy.statement
COMMIT

-- policy.statement
END

-- policy.statement
ROLLBACK

-- policy.statement
ABORT

-- policy.statement
PREPARE p AS SELECT 1

-- policy.statement
PREPARE p AS COPY orders TO 'x'

-- policy.statement
EXECUTE p

-- policy.statement
DEALLOCATE p

-- policy.statement
CHECKPOINT

-- policy.statement
FORCE CHECKPOINT

-- policy.statement
VACUUM

-- policy.statement
VACUUM ANALYZE orders

-- policy.statement
ANALYZE

-- policy.statement
GRANT ALL ON orders TO public

-- policy.statement
REVOKE ALL ON orders FROM public

-- policy.statement
LOCK TABLE orders

-- policy.statement
LISTEN channel

-- policy.statement
DISCARD ALL

-- policy.statement
SAVEPOINT s

-- policy.statement
DECLARE c CURSOR FOR SELECT 1

-- policy.statement
FETCH NEXT FROM c

-- policy.statement
REFRESH MATERIALIZED VIEW v

-- policy.statement
REPLACE INTO orders VALUES (1)

-- policy.statement
EXPLAIN INSERT INTO orders VALUES (1)

-- policy.statement
EXPLAIN ANALYZE INSERT INTO nums VALUES (1, 2)

-- policy.statement
EXPLAIN ANALYZE COPY orders TO 'x.csv'

-- policy.statement
EXPLAIN (ANALYZE) DELETE FROM orders

-- policy.statement
EXPLAIN (ANALYZE, FORMAT json) UPDATE orders SET id = 1

-- policy.statement
EXPLAIN EXPLAIN SELECT 1

-- policy.statement
EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1

-- policy.statement
EXPLAIN (ANALYZE, OUTPUT '/tmp/x') SELECT 1

-- policy.statement
EXPLAIN SET threads = 1

-- policy.statement
EXPLAIN ANALYZE ATTACH 'x.db'

-- policy.statement
EXPLAIN PRAGMA version

-- policy.statement
WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d

-- policy.statement
WITH d AS (INSERT INTO orders (id) VALUES (1) RETURNING *) SELECT * FROM d

-- policy.statement
WITH d AS (UPDATE orders SET id = 1 RETURNING *) SELECT * FROM d

-- policy.statement
WITH a AS (SELECT 1), d AS MATERIALIZED (DELETE FROM orders RETURNING *) SELECT * FROM a, d

-- policy.statement
WITH RECURSIVE d(x) AS (MERGE INTO orders USING nums ON id = n WHEN MATCHED THEN DELETE) SELECT * FROM d

-- policy.statement
WITH d AS (COPY orders TO 'x') SELECT 1

-- policy.statement
WITH x AS (SELECT 1) INSERT INTO orders (id) SELECT * FROM x

-- policy.statement
WITH x AS (SELECT 1 AS id) DELETE FROM orders USING x WHERE orders.id = x.id

-- policy.statement
WITH x AS (SELECT 1) UPDATE orders SET id = 1

-- policy.statement
WITH x(a, b) AS NOT MATERIALIZED (SELECT 1, 2) MERGE INTO orders USING x ON id = a WHEN MATCHED THEN DELETE

-- policy.statement
WITH x AS (SELECT 1) CREATE TABLE y AS SELECT * FROM x

-- policy.statement
WITH x AS (SELECT 1) COPY orders TO 'x'

-- policy.statement
SELECT * INTO stolen FROM orders

-- policy.statement
SELECT 1 AS a INTO TEMP stolen

-- policy.statement
WITH x AS (SELECT 1) SELECT * INTO y FROM x

-- policy.statement
/* harmless */ DROP TABLE orders

-- policy.statement
-- harmless
DELETE FROM orders

-- policy.statement
/* /* nested */ SELECT 1 */ DELETE FROM orders

-- policy.statement
;;; DROP TABLE orders

-- policy.statement
(INSERT INTO orders (id) VALUES (1))

-- policy.statement
((DELETE FROM orders))

-- policy.statement
cOpY orders tO 'x.csv'

-- policy.statement
SeT/**/threads/**/=/**/1

-- sql.multiple_statements
SELECT 1; DROP TABLE orders

-- sql.multiple_statements
SELECT 1; SELECT 2

-- sql.multiple_statements
COMMIT; DROP TABLE orders

-- sql.multiple_statements
SELECT 1;; ; DELETE FROM orders;

-- sql.multiple_statements
SELECT 1; -- comment
DROP TABLE orders

-- sql.multiple_statements
SELECT 1 /* ; */ ; /* ; */ COPY orders TO 'x'

-- sql.multiple_statements
SELECT ';' ; ATTACH 'x'

-- sql.multiple_statements
SELECT $$;$$; ATTACH 'x'

-- sql.multiple_statements
SELECT $a$ $b$ ; $b$ $a$; ATTACH 'x'

-- sql.multiple_statements
SELECT E'\'; SELECT ' ; DROP TABLE orders; --'

-- sql.multiple_statements
SELECT "a;b" FROM (SELECT 1 AS "a;b"); SET threads = 1

-- sql.multiple_statements
SELECT 1 -- ;
; INSTALL httpfs

-- sql.multiple_statements
SELECT (1; DROP TABLE orders)

-- sql.multiple_statements
EXPLAIN SELECT 1; DROP TABLE orders

-- sql.multiple_statements
INSERT INTO orders (id) VALUES (1); INSERT INTO orders (id) VALUES (2)

-- sql.syntax
SELECT 'unclosed; DROP TABLE orders

-- sql.syntax
SELECT 1 /* unclosed ; DROP TABLE orders

-- sql.syntax
SELECT "unclosed FROM orders

-- sql.syntax
SELECT $x$ unclosed $y$

-- sql.syntax
SELCT 1

-- sql.syntax
1 + 1

-- sql.syntax
'SELECT 1'

-- sql.syntax
SELECT * FROM orders FOR UPDATE

-- sql.syntax
SELECT FROM WHERE

-- sql.syntax
SELECT * FROM (DELETE FROM orders RETURNING *)

-- policy.statement
SELECT (INSERT INTO orders (id) VALUES (1) RETURNING id)

-- sql.syntax
SELECT * FROM [COPY orders TO 'x']

-- sql.syntax
SELECT 1 UNION DROP TABLE orders

-- policy.statement
SELECT 1 UNION ALL INSERT INTO orders (id) VALUES (1)

-- sql.empty


-- sql.empty
-- nothing but a comment

-- sql.empty
;

-- sql.empty
/* SELECT 1 */ ;; -- end

-- policy.function
SELECT getenv('HOME')

-- policy.function
SELECT current_setting('allowed_directories')

-- policy.function
SELECT getvariable('clock')

-- policy.function
SELECT current_database()

-- policy.function
SELECT current_schema()

-- policy.function
SELECT current_schemas(true)

-- policy.function
SELECT current_query()

-- policy.function
SELECT current_user()

-- policy.function
SELECT version()

-- policy.function
SELECT txid_current()

-- policy.function
SELECT current_connection_id(), current_transaction_id(), current_query_id()

-- policy.function
SELECT nextval('s')

-- policy.function
SELECT currval('s')

-- policy.function
SELECT setseed(0.5)

-- policy.function
SELECT sleep_ms(100000)

-- policy.function
SELECT pg_sleep(10)

-- policy.function
SELECT write_log('x')

-- policy.function
SELECT json_serialize_plan('COPY orders TO ''x''')

-- policy.function
SELECT json_serialize_sql('SELECT 1')

-- policy.function
SELECT json_deserialize_sql('{}')

-- policy.function
SELECT json_execute_serialized_sql('{}')

-- policy.function
SELECT query('SELECT 1')

-- policy.function
SELECT read_text('/etc/passwd')

-- policy.function
SELECT read_csv('/etc/passwd')

-- policy.function
SELECT glob('*')

-- policy.function
SELECT pg_get_viewdef(1)

-- policy.function
SELECT has_table_privilege('orders', 'select')

-- policy.function
SELECT inet_server_addr()

-- policy.function
SELECT stats(id) FROM orders

-- policy.function
SELECT in_search_path('a', 'b')

-- policy.function
SELECT parse_duckdb_log_message('a', 'b')

-- policy.function
SELECT __internal_compress_string_hugeint('a')

-- policy.function
SELECT query_to_xml('SELECT 1', true, false, '')

-- policy.function
SELECT pg_read_file('/etc/passwd')

-- policy.function
SELECT "pg_read_file"('/etc/passwd')

-- policy.function
SELECT lo_import('/etc/passwd')

-- policy.function
SELECT load_extension('x')

-- policy.function
SELECT dblink('host=h', 'SELECT 1')

-- policy.function
SELECT unknown_function(1)

-- policy.function
SELECT "getenv"('HOME')

-- policy.function
SELECT GetEnv('HOME')

-- policy.function
SELECT "GETENV"('HOME')

-- policy.function
SELECT getenv/* x */('HOME')

-- policy.function
SELECT getenv
('HOME')

-- policy.function
SELECT main.getenv('HOME')

-- policy.function
SELECT system.main.getenv('HOME')

-- policy.function
SELECT pg_catalog.current_setting('threads')

-- policy.function
SELECT pg_catalog.lower('X')

-- policy.function
SELECT system.main.lower('X')

-- policy.function
SELECT memory.lower('X')

-- policy.function
SELECT temp.main.lower('X')

-- policy.function
SELECT information_schema.lower('X')

-- policy.function
SELECT "main"."getenv"('HOME')

-- policy.function
SELECT ('HOME').getenv()

-- policy.function
SELECT name.getenv() FROM customers

-- policy.function
SELECT customers.name.getenv() FROM customers

-- policy.function
SELECT lower('HOME').getenv()

-- sql.syntax
SELECT 'threads'.current_setting()

-- policy.function
SELECT name.lower().current_setting() FROM customers

-- policy.function
SELECT [getenv('HOME')]

-- policy.function
SELECT {'a': getenv('HOME')}

-- policy.function
SELECT MAP {'a': getenv('HOME')}

-- policy.function
SELECT (1, getenv('HOME'))

-- policy.function
SELECT [x FOR x IN [1] IF getenv('A') = 'b']

-- policy.function
SELECT [getenv(x) FOR x IN ['HOME']]

-- policy.function
SELECT list_transform(['HOME'], x -> getenv(x))

-- policy.function
SELECT list_transform(['HOME'], lambda x : getenv(x))

-- policy.function
SELECT list_filter(['a'], x -> list_contains([getenv(x)], 'b'))

-- policy.function
SELECT list_reduce(['a', 'b'], (a, b) -> getenv(a) || b)

-- policy.function
SELECT apply([1], x -> apply([x], y -> current_setting('threads')))

-- policy.function
SELECT CASE WHEN true THEN getenv('HOME') END

-- policy.function
SELECT CASE getenv('HOME') WHEN 'a' THEN 1 END

-- policy.function
SELECT CASE WHEN false THEN 1 ELSE getenv('HOME') END

-- policy.function
SELECT coalesce(NULL, getenv('HOME'))

-- policy.function
SELECT try(getenv('HOME'))

-- policy.function
SELECT if(true, getenv('HOME'), 'x')

-- policy.function
SELECT CAST(getenv('HOME') AS VARCHAR)

-- policy.function
SELECT getenv('HOME')::VARCHAR

-- policy.function
SELECT getenv('HOME') COLLATE nocase

-- policy.function
SELECT getenv('HOME')[1:3]

-- policy.function
SELECT 'abc'[length(getenv('HOME'))]

-- policy.function
SELECT 1 BETWEEN 0 AND length(getenv('HOME'))

-- policy.function
SELECT 'a' IN (getenv('HOME'))

-- policy.function
SELECT 'a' LIKE getenv('HOME')

-- policy.function
SELECT 'a' LIKE 'b' ESCAPE getenv('HOME')

-- policy.function
SELECT getenv('HOME') IS NULL

-- policy.function
SELECT NOT getenv('HOME') = 'a'

-- policy.function
SELECT EXISTS (SELECT getenv('HOME'))

-- policy.function
SELECT ARRAY(SELECT getenv('HOME'))

-- policy.function
SELECT 1 = ANY (SELECT length(getenv('HOME')))

-- policy.function
SELECT (SELECT (SELECT (SELECT getenv('HOME'))))

-- policy.function
SELECT * FROM (SELECT getenv('HOME'))

-- policy.function
WITH x AS (SELECT getenv('HOME')) SELECT * FROM x

-- policy.function
WITH RECURSIVE x(a) AS (SELECT 'a' UNION ALL SELECT getenv(a) FROM x) SELECT * FROM x

-- policy.function
WITH unused AS (SELECT getenv('HOME')) SELECT 1

-- policy.function
VALUES (getenv('HOME'))

-- policy.function
SELECT * FROM (VALUES (1, getenv('HOME'))) t(a, b)

-- policy.function
FROM nums SELECT getenv('HOME')

-- policy.function
SELECT 1 UNION ALL SELECT length(getenv('HOME'))

-- policy.function
SELECT n FROM nums EXCEPT SELECT length(getenv('HOME'))

-- policy.function
SELECT n FROM nums WHERE getenv('HOME') = 'x'

-- policy.function
SELECT n FROM nums GROUP BY n, getenv('HOME')

-- policy.function
SELECT n FROM nums GROUP BY CUBE (n, getenv('HOME'))

-- policy.function
SELECT n FROM nums GROUP BY GROUPING SETS ((n), (getenv('HOME')))

-- policy.function
SELECT n FROM nums GROUP BY n HAVING getenv('HOME') = 'x'

-- policy.function
SELECT n FROM nums ORDER BY getenv('HOME')

-- policy.function
SELECT n FROM nums LIMIT length(getenv('HOME'))

-- policy.function
SELECT n FROM nums LIMIT 1 OFFSET length(getenv('HOME'))

-- policy.function
SELECT n FROM nums LIMIT (SELECT length(getenv('HOME')))

-- policy.function
SELECT n FROM nums LIMIT (length(getenv('HOME')))%

-- policy.function
SELECT DISTINCT ON (getenv('HOME')) n FROM nums

-- policy.function
SELECT sum(n) FILTER (WHERE getenv('HOME') = 'x') FROM nums

-- policy.function
SELECT list(n ORDER BY getenv('HOME')) FROM nums

-- policy.function
SELECT sum(n) OVER (PARTITION BY getenv('HOME')) FROM nums

-- policy.function
SELECT sum(n) OVER (ORDER BY getenv('HOME')) FROM nums

-- policy.function
SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN length(getenv('HOME')) PRECEDING AND CURRENT ROW) FROM nums

-- policy.function
SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND length(getenv('HOME')) FOLLOWING) FROM nums

-- policy.function
SELECT sum(n) OVER w FROM nums WINDOW w AS (ORDER BY getenv('HOME'))

-- policy.function
SELECT lag(n, length(getenv('HOME'))) OVER (ORDER BY n) FROM nums

-- policy.function
SELECT lag(n, 1, length(getenv('HOME'))) OVER (ORDER BY n) FROM nums

-- policy.function
SELECT first_value(n ORDER BY getenv('HOME')) OVER () FROM nums

-- policy.function
SELECT sum(n) FILTER (WHERE getenv('HOME') = '') OVER () FROM nums

-- policy.function
SELECT getenv('HOME') OVER ()

-- policy.function
SELECT main.current_setting('threads') OVER ()

-- policy.function
SELECT system.main.sum(n) OVER () FROM nums

-- policy.function
SELECT n FROM nums QUALIFY getenv('HOME') = 'x'

-- policy.function
SELECT * FROM nums a JOIN nums b ON getenv('HOME') = 'x'

-- policy.function
SELECT * FROM nums a ASOF JOIN nums b ON a.n = length(getenv('X')) AND a.n >= b.n

-- policy.function
SELECT * FROM nums, LATERAL (SELECT getenv('HOME'))

-- policy.function
SELECT * REPLACE (getenv('HOME') AS n) FROM nums

-- policy.function
SELECT COLUMNS(c -> c = getenv('HOME')) FROM nums

-- policy.function
SELECT getenv(COLUMNS(*)) FROM customers

-- policy.function
SELECT COLUMNS(getenv('HOME')) FROM nums

-- policy.function
SELECT * FROM range(length(getenv('HOME')))

-- policy.function
SELECT * FROM unnest([getenv('HOME')])

-- policy.function
SELECT * FROM repeat(getenv('HOME'), 3)

-- policy.function
SELECT * FROM json_each(getenv('HOME'))

-- policy.function
SELECT * FROM range((SELECT length(getenv('HOME'))))

-- policy.function
SELECT unnest([1], recursive := getenv('HOME') = 'x')

-- policy.function
SELECT struct_pack(a := getenv('HOME'))

-- policy.function
FROM nums PIVOT (sum(length(getenv('HOME'))) FOR n IN (1))

-- policy.function
FROM nums PIVOT (sum(v) FOR getenv(n::VARCHAR) IN ('a'))

-- policy.function
PIVOT nums ON getenv(n::VARCHAR) USING sum(n)

-- policy.function
PIVOT nums ON n USING getenv('HOME')

-- policy.function
PIVOT (SELECT getenv('HOME') AS h, n FROM nums) ON n USING count(*)

-- policy.function
UNPIVOT (SELECT getenv('HOME') AS a) ON a

-- policy.function
UNPIVOT nums ON COLUMNS(c -> c = getenv('HOME'))

-- policy.function
SUMMARIZE SELECT getenv('HOME')

-- policy.function
DESCRIBE SELECT getenv('HOME')

-- policy.function
SELECT * FROM (DESCRIBE SELECT getenv('HOME'))

-- policy.function
EXPLAIN SELECT getenv('HOME')

-- policy.function
EXPLAIN ANALYZE SELECT getenv('HOME')

-- policy.function
SELECT 1 OPERATOR(pg_catalog.+) 1

-- policy.function
SELECT |/ 4

-- policy.function
SELECT a -> getenv('HOME') FROM (SELECT '{}'::JSON AS a)

-- policy.function
SELECT getenv('HOME') -> 'a'

-- policy.function
SELECT INTERVAL (length(getenv('HOME'))) DAY

-- policy.function
SELECT extract(year FROM strptime(getenv('HOME'), '%Y'))

-- policy.function
SELECT substring('abc' FROM length(getenv('HOME')))

-- policy.function
SELECT trim(BOTH getenv('HOME') FROM 'abc')

-- policy.function
SELECT position(getenv('HOME') IN 'abc')

-- policy.function
SELECT timezone(getenv('TZ'), now())

-- policy.function
SELECT now() AT TIME ZONE current_setting('TimeZone')

-- policy.function
SELECT list_aggregate([1], getenv('HOME'))

-- policy.function
SELECT $x || getenv($y)

-- policy.function
SELECT a: getenv('HOME')

-- policy.function
SELECT getenv('HOME'),

-- policy.function
SELECT count(*) FROM nums TABLESAMPLE 10% WHERE getenv('HOME') = 'x'

-- policy.table_function
SELECT * FROM query('SELECT 1')

-- policy.table_function
SELECT * FROM query_table('orders')

-- policy.table_function
SELECT * FROM query_table(['orders', 'nums'])

-- policy.table_function
SELECT * FROM "query"('COPY orders TO ''x''')

-- policy.table_function
FROM QUERY($$ SELECT 1 $$)

-- policy.table_function
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))

-- policy.table_function
SELECT * FROM read_text('/etc/passwd')

-- policy.table_function
SELECT * FROM read_blob('/etc/passwd')

-- policy.table_function
SELECT * FROM "read_text"('/etc/passwd')

-- policy.table_function
SELECT * FROM READ_TEXT(['/etc/passwd', '/etc/hosts'])

-- policy.table_function
SELECT * FROM read_duckdb('x.db', table_name := 'orders')

-- policy.table_function
SELECT * FROM glob('/**')

-- policy.table_function
SELECT * FROM sniff_csv('/etc/passwd')

-- policy.table_function
SELECT * FROM parquet_metadata('x.parquet')

-- policy.table_function
SELECT * FROM parquet_schema('x.parquet')

-- policy.table_function
SELECT * FROM parquet_kv_metadata('x.parquet')

-- policy.table_function
SELECT * FROM parquet_file_metadata('x.parquet')

-- policy.table_function
SELECT * FROM parquet_bloom_probe('x.parquet', 'a', 1)

-- policy.table_function
SELECT * FROM read_json_objects('x.json')

-- policy.table_function
SELECT * FROM duckdb_settings()

-- policy.table_function
SELECT * FROM duckdb_secrets()

-- policy.table_function
SELECT * FROM duckdb_tables()

-- policy.table_function
SELECT * FROM duckdb_databases()

-- policy.table_function
SELECT * FROM duckdb_functions()

-- policy.table_function
SELECT * FROM duckdb_extensions()

-- policy.table_function
SELECT * FROM duckdb_memory()

-- policy.table_function
SELECT * FROM duckdb_temporary_files()

-- policy.table_function
SELECT * FROM duckdb_logs()

-- policy.table_function
SELECT * FROM duckdb_variables()

-- policy.table_function
SELECT * FROM duckdb_prepared_statements()

-- policy.table_function
SELECT * FROM duckdb_table_sample('orders')

-- policy.table_function
SELECT * FROM duckdb_external_file_cache()

-- policy.table_function
SELECT * FROM which_secret('s3://b', 's3')

-- policy.table_function
SELECT * FROM pragma_version()

-- policy.table_function
SELECT * FROM pragma_platform()

-- policy.table_function
SELECT * FROM pragma_user_agent()

-- policy.table_function
SELECT * FROM pragma_storage_info('orders')

-- policy.table_function
SELECT * FROM pragma_table_info('orders')

-- policy.table_function
SELECT * FROM pragma_database_size()

-- policy.table_function
SELECT * FROM pragma_show('orders')

-- policy.table_function
SELECT * FROM checkpoint()

-- policy.table_function
SELECT * FROM force_checkpoint('memory')

-- policy.table_function
SELECT * FROM enable_logging()

-- policy.table_function
SELECT * FROM enable_profiling()

-- policy.table_function
SELECT * FROM truncate_duckdb_logs()

-- policy.table_function
SELECT * FROM enable_peg_parser()

-- policy.table_function
SELECT * FROM sql_auto_complete('SELECT * FROM ')

-- policy.table_function
SELECT * FROM check_peg_parser('SELECT 1')

-- policy.table_function
SELECT * FROM seq_scan('orders')

-- policy.table_function
SELECT * FROM arrow_scan(1, 2, 3)

-- policy.table_function
SELECT * FROM histogram_values(orders, id)

-- policy.table_function
SELECT * FROM duckdb_logs_parsed('x')

-- policy.table_function
SELECT * FROM test_all_types()

-- policy.table_function
SELECT * FROM getenv('HOME')

-- policy.table_function
SELECT * FROM sqlite_scan('x.db', 't')

-- policy.table_function
SELECT * FROM postgres_query('db', 'SELECT 1')

-- policy.table_function
SELECT * FROM mysql_query('db', 'SELECT 1')

-- policy.table_function
SELECT * FROM iceberg_scan('x')

-- policy.table_function
SELECT * FROM st_read('x.shp')

-- policy.table_function
SELECT * FROM read_xlsx('x.xlsx')

-- policy.table_function
SELECT * FROM shell('ls')

-- policy.table_function
SELECT * FROM nums, query('SELECT 1')

-- policy.table_function
SELECT * FROM nums JOIN read_text('/etc/passwd') ON true

-- policy.table_function
SELECT * FROM nums, LATERAL glob('/*')

-- policy.table_function
SELECT (SELECT content FROM read_text('/etc/passwd'))

-- policy.table_function
SELECT n FROM nums WHERE n IN (SELECT 1 FROM glob('*'))

-- policy.table_function
SELECT n FROM nums ORDER BY (SELECT count(*) FROM glob('*'))

-- policy.table_function
SELECT n FROM nums LIMIT (SELECT count(*) FROM glob('*'))

-- policy.table_function
WITH x AS (SELECT * FROM glob('*')) SELECT * FROM x

-- policy.table_function
WITH query AS (SELECT 1) SELECT * FROM query('SELECT 1')

-- policy.table_function
SELECT list_transform([1], x -> (SELECT count(*) FROM glob('*')))

-- policy.table_function
SUMMARIZE FROM read_text('/etc/passwd')

-- policy.table_function
SELECT * FROM (SUMMARIZE SELECT * FROM duckdb_settings())

-- policy.table_function
PIVOT read_text('/etc/passwd') ON filename

-- policy.table_function
FROM glob('*') PIVOT (count(*) FOR file IN ('a'))

-- policy.table_function
UNPIVOT read_text('/etc/passwd') ON content

-- policy.table_function
FROM duckdb_settings()

-- policy.table_function
EXPLAIN SELECT * FROM read_text('/etc/passwd')

-- policy.table_function
SELECT 1 WHERE EXISTS (FROM query('DROP TABLE orders'))

-- policy.table_function
SELECT CASE WHEN (SELECT count(*) FROM query('SELECT 1')) > 0 THEN 1 END

-- policy.function
SELECT * FROM system.main.glob('*')

-- policy.function
SELECT * FROM main.read_text('/etc/passwd')

-- policy.function
SELECT * FROM pg_catalog.duckdb_tables()

-- policy.function
SELECT * FROM main.range(3)

-- policy.file_argument
SELECT * FROM read_csv('a' || '.csv')

-- policy.file_argument
SELECT * FROM read_csv(lower('A.CSV'))

-- policy.file_argument
SELECT * FROM read_csv(getenv('HOME') || '/x.csv')

-- policy.file_argument
SELECT * FROM read_parquet(getvariable('x'))

-- policy.file_argument
SELECT * FROM read_json($1)

-- policy.file_argument
SELECT * FROM read_csv(?)

-- policy.file_argument
SELECT * FROM read_csv((SELECT 'a.csv'))

-- policy.file_argument
SELECT * FROM (SELECT '/etc/passwd' AS p) t, read_csv(t.p)

-- policy.file_argument
SELECT * FROM read_csv(['a.csv', 'b' || '.csv'])

-- policy.file_argument
SELECT * FROM read_csv(list_transform(['a'], x -> x || '.csv'))

-- policy.file_argument
SELECT * FROM read_csv([])

-- policy.file_argument
SELECT * FROM read_csv()

-- policy.file_argument
SELECT * FROM read_csv(NULL)

-- policy.file_argument
SELECT * FROM read_csv(CASE WHEN true THEN 'a.csv' END)

-- policy.file_argument
SELECT * FROM read_csv(filename := 'a.csv')

-- policy.file_argument
SELECT * FROM read_csv('a.csv', 'b.csv')

-- policy.file_argument
SELECT * FROM read_csv('a.csv', filename = true)

-- policy.file_argument
SELECT * FROM read_csv('a.csv', store_rejects = true)

-- policy.file_argument
SELECT * FROM read_csv('a.csv', rejects_table = 'orders')

-- policy.file_argument
SELECT * FROM read_csv('a.csv', typo = true)

-- policy.file_argument
SELECT * FROM read_csv('a.csv', delim = getenv('HOME'))

-- policy.file_argument
SELECT * FROM read_csv('a.csv', header = (SELECT true))

-- policy.file_argument
SELECT * FROM read_csv('a.csv', columns = {'a': getenv('HOME')})

-- policy.file_argument
SELECT * FROM read_csv('a.csv', skip = 1 + 1)

-- policy.file_argument
SELECT * FROM read_parquet('a.parquet', encryption_config = {'footer_key': 'k'})

-- policy.file_argument
SELECT * FROM read_parquet('a.parquet', filename := true)

-- policy.file_argument
SELECT * FROM read_json('a.json', filename => true)

-- policy.file_argument
SELECT * FROM parquet_scan('a' || 'b')

-- reference
SELECT * FROM '/etc/passwd'

-- reference
SELECT * FROM "/etc/passwd"

-- reference
FROM 'secret.csv'

-- reference
SELECT * FROM '../../outside.parquet'

-- reference
SELECT * FROM 'https://example.com/x.csv'

-- reference
SELECT * FROM 's3://bucket/x.parquet'

-- reference
SELECT * FROM 'file:///etc/passwd'

-- reference
SELECT * FROM nums, 'x.json'

-- reference
SUMMARIZE '/etc/passwd'

-- reference
DESCRIBE 'x.csv'

-- reference
PIVOT 'x.csv' ON a

-- reference
SELECT (SELECT count(*) FROM 'x.csv')

-- reference
WITH x AS (FROM 'x.csv') FROM x

-- reference
TABLE 'x.csv'

-- reference
SELECT * FROM read_csv('/etc/passwd')

-- reference
SELECT * FROM read_csv(['/etc/passwd', '/etc/hosts'], header = false)

-- reference
SELECT * FROM read_parquet('https://example.com/x.parquet')

-- reference
SELECT * FROM READ_JSON_AUTO('/root/.config/x.json')

-- reference
SELECT * FROM q17.main.pulls

-- reference
SELECT * FROM q17.github.pulls

-- reference
SELECT * FROM memory.main.orders

-- reference
SELECT * FROM other_caller.orders

-- policy.reference
SELECT * FROM sqlite_master

-- policy.reference
SELECT * FROM "SQLITE_MASTER"

-- policy.reference
SELECT * FROM main.sqlite_master

-- policy.reference
SELECT * FROM sqlite_schema

-- policy.reference
SELECT * FROM sqlite_temp_master

-- policy.reference
SELECT * FROM duckdb_tables

-- policy.reference
SELECT * FROM duckdb_databases

-- policy.reference
SELECT * FROM duckdb_columns

-- policy.reference
SELECT * FROM duckdb_views

-- policy.reference
SELECT * FROM pragma_database_list

-- policy.reference
SELECT * FROM pg_class

-- policy.reference
SELECT * FROM pg_tables

-- policy.reference
SELECT * FROM pg_settings

-- policy.reference
SELECT * FROM pg_catalog.pg_tables

-- policy.reference
SELECT * FROM "pg_catalog"."pg_class"

-- policy.reference
SELECT * FROM system.pg_catalog.pg_class

-- policy.reference
SELECT * FROM system.main.duckdb_tables

-- policy.reference
SELECT * FROM temp.main.sqlite_master

-- policy.reference
SELECT * FROM system.information_schema.tables

-- policy.reference
SELECT * FROM information_schema.schemata

-- policy.reference
SELECT * FROM information_schema.views

-- policy.reference
SELECT * FROM information_schema.table_constraints

-- policy.reference
SELECT * FROM nums, pg_class

-- policy.reference
SELECT (SELECT count(*) FROM sqlite_master)

-- policy.reference
SUMMARIZE duckdb_tables

-- policy.reference
DESCRIBE sqlite_master

-- policy.reference
SHOW DATABASES

-- policy.reference
SHOW SCHEMAS

-- policy.reference
SHOW VARIABLES

-- policy.reference
SHOW TABLES FROM system

-- policy.reference
SHOW TABLES FROM other.main

-- policy.reference
SELECT * FROM (SHOW DATABASES)

-- policy.reference
SELECT current_catalog

-- policy.reference
SELECT current_schema

-- policy.reference
SELECT current_user

-- policy.reference
SELECT session_user

-- policy.reference
SELECT current_role

-- policy.reference
SELECT "current_catalog"

-- policy.reference
SELECT [current_schema]

-- policy.reference
SELECT n FROM nums ORDER BY current_catalog

-- policy.reference
SELECT list_transform([1], x -> current_catalog)

-- policy.construct
SELECT * FROM nums AT (VERSION => 1)

-- policy.construct
SELECT * FROM nums AT (TIMESTAMP => now() - INTERVAL 1 DAY)

-- policy.construct
SELECT sum(n) EXPORT_STATE FROM nums

-- policy.construct
SELECT 'x'::sales.mood

-- policy.construct
SELECT CAST('x' AS other.mood)

-- policy.construct
SELECT NULL::other.mood[]

-- policy.construct
SELECT NULL::STRUCT(a other.mood)

-- policy.construct
VALUES (DEFAULT)

-- policy.construct
SELECT DEFAULT

-- policy.construct
FROM nums PIVOT (sum(v) FOR n IN some_enum)

-- sql.pivot_list
PIVOT nums ON n IN (SELECT content FROM read_text('/etc/passwd')) USING sum(v)

-- sql.pivot_list
PIVOT nums ON n IN some_enum USING sum(v)

-- sql.syntax
PIVOT nums ON n IN (getenv('HOME')) USING sum(v)

-- write policy.function
INSERT INTO nums SELECT length(getenv('HOME')), 1

-- write policy.function
INSERT INTO customers (name) VALUES (getenv('HOME'))

-- write policy.function
INSERT INTO customers (name) VALUES ("getenv"('HOME'))

-- write policy.function
INSERT INTO customers (name) VALUES (getenv /* x */ ('HOME'))

-- write policy.function
INSERT INTO customers (name) VALUES (('HOME').getenv())

-- write policy.function
INSERT INTO customers (name) SELECT content FROM read_text('/etc/passwd')

-- write policy.function
INSERT INTO customers (name) SELECT a FROM read_csv('/etc/passwd') t(a)

-- write policy.function
INSERT INTO customers (name) SELECT name FROM nums, read_text('/etc/passwd')

-- write policy.function
INSERT INTO customers (name) FROM query('SELECT ''x''')

-- write policy.function
INSERT INTO customers (name) VALUES ('a') RETURNING current_setting('threads')

-- write policy.function
INSERT INTO nums (n) VALUES (1) ON CONFLICT (n) DO UPDATE SET n = length(getenv('HOME'))

-- write policy.function
UPDATE customers SET name = getenv('HOME')

-- write policy.function
UPDATE customers SET name = (SELECT content FROM read_text('/etc/passwd'))

-- write policy.function
UPDATE customers SET name = 'x' WHERE getenv('HOME') = 'x'

-- write policy.function
UPDATE customers SET name = content FROM read_text('/etc/passwd') WHERE true

-- write policy.function
DELETE FROM customers WHERE name = getenv('HOME')

-- write policy.function
DELETE FROM customers USING read_text('/etc/passwd') AS f WHERE f.content = name

-- write policy.function
MERGE INTO customers USING (SELECT getenv('HOME') AS h) AS s ON name = h WHEN MATCHED THEN DELETE

-- write policy.function
MERGE INTO customers USING read_text('/etc/passwd') s ON name = s.content WHEN MATCHED THEN DELETE

-- write policy.function
MERGE INTO customers USING nums ON id = n WHEN MATCHED AND getenv('HOME') = 'x' THEN DELETE

-- write policy.function
MERGE INTO customers USING nums ON id = n WHEN MATCHED THEN UPDATE SET name = getenv('HOME')

-- write policy.function
CREATE TABLE x AS SELECT getenv('HOME') AS h

-- write policy.function
CREATE TABLE x AS FROM read_csv('/etc/passwd')

-- write policy.function
CREATE TABLE x AS SELECT * FROM duckdb_settings()

-- write policy.function
CREATE TABLE IF NOT EXISTS x AS SELECT * FROM glob('/*')

-- write policy.function
CREATE OR REPLACE TABLE x AS WITH q AS (FROM query('SELECT 1')) FROM q

-- write policy.function
WITH q(a) AS (SELECT getenv('HOME')) INSERT INTO customers (name) SELECT a FROM q

-- write policy.function
INSERT INTO customers (name) SELECT list_transform(['HOME'], x -> getenv(x))[1]

-- write policy.function
INSERT INTO nums (n) SELECT nextval('s')

-- write policy.write
INSERT INTO customers (name) SELECT a FROM '/etc/passwd'

-- write policy.write
INSERT INTO customers (name) FROM "secret.csv"

-- write policy.write
INSERT INTO customers (name) SELECT name FROM customers, '/etc/passwd'

-- write policy.write
INSERT INTO customers (name) SELECT name FROM customers JOIN 'x.csv' ON true

-- write policy.write
CREATE TABLE x AS FROM 'x.parquet'

-- write policy.write
CREATE TABLE x AS SELECT * FROM (SUMMARIZE 'x.csv')

-- write policy.write
CREATE TABLE x AS TABLE 'x.csv'

-- write policy.write
UPDATE customers SET name = a FROM 'x.csv' WHERE true

-- write policy.write
DELETE FROM customers USING 'x.csv' AS f WHERE true

-- write policy.write
MERGE INTO customers USING 'x.csv' AS f ON true WHEN MATCHED THEN DELETE

-- write policy.write
INSERT INTO other.main.z VALUES (1)

-- write policy.write
DELETE FROM other.main.z

-- write policy.write
UPDATE other.main.z SET a = 1

-- write policy.write
CREATE TABLE other.main.y AS SELECT 1 AS a

-- write policy.write
INSERT INTO nums (n) SELECT a FROM other.main.z

-- write policy.write
CREATE TABLE x AS SELECT * FROM other.main.z

-- write policy.reference
CREATE TABLE temp.x AS SELECT 1 AS a

-- write policy.statement
CREATE TEMP TABLE x AS SELECT 1 AS a

-- write policy.statement
CREATE OR REPLACE TEMPORARY TABLE x AS SELECT 1 AS a

-- write policy.reference
INSERT INTO customers (name) SELECT table_name FROM information_schema.tables

-- write policy.reference
INSERT INTO customers (name) SELECT sql FROM system.main.sqlite_master

-- write policy.reference
CREATE TABLE x AS SELECT * FROM pg_catalog.pg_class

-- write policy.reference
INSERT INTO customers (name) VALUES (current_catalog)

-- write policy.statement
CREATE VIEW v AS SELECT 1

-- write policy.statement
CREATE TABLE x (a INTEGER)

-- write policy.statement
CREATE TABLE x (a INTEGER DEFAULT (getenv('HOME')))

-- write policy.statement
DROP TABLE customers

-- write policy.statement
ALTER TABLE customers ADD COLUMN x INTEGER

-- write policy.statement
TRUNCATE customers

-- write policy.statement
COPY customers TO 'x.csv'

-- write policy.statement
COPY customers FROM '/etc/passwd'

-- write policy.statement
ATTACH 'x.db'

-- write policy.statement
PREPARE p AS DELETE FROM customers

-- write policy.statement
EXPLAIN ANALYZE DELETE FROM customers

-- write policy.statement
CREATE MACRO f() AS 1

-- write policy.statement
UPDATE EXTENSIONS

-- write sql.multiple_statements
DELETE FROM customers WHERE false; DROP TABLE customers

-- write sql.multiple_statements
INSERT INTO customers (name) VALUES (E'\'); DROP TABLE customers; --'); DROP TABLE orders

-- write sql.multiple_statements
INSERT INTO customers (name) VALUES ($a$x$a$); DROP TABLE customers

-- policy.statement
 DROP TABLE orders

-- policy.function
SELECT getenv ('HOME')

-- policy.statement
 DROP TABLE orders

-- policy.function
SELECT getenv ('HOME')

-- policy.statement
​DROP​TABLE​orders

-- policy.function
SELECT​getenv​('HOME')

-- policy.statement
 DROP TABLE orders

-- policy.function
SELECT getenv ('HOME')

-- policy.statement
 DROP TABLE orders

-- policy.function
SELECT getenv ('HOME')

-- policy.statement
⁠DROP⁠TABLE⁠orders

-- policy.function
SELECT⁠getenv⁠('HOME')

-- policy.statement
　DROP　TABLE　orders

-- policy.function
SELECT　getenv　('HOME')

-- policy.statement
﻿DROP﻿TABLE﻿orders

-- policy.function
SELECT﻿getenv﻿('HOME')

-- sql.multiple_statements
SELECT 1　; DROP TABLE orders

-- policy.table_function
SELECT * FROM read_text　('/etc/passwd')

-- sql.syntax
ＳＥＬＥＣＴ 1

-- policy.function
SELECT ｇetenv('HOME')

-- sql.syntax
‮SELECT 1

-- policy.function
SELECT geıenv('HOME'), geteNv('x')

-- write policy.function
INSERT INTO customers (name) VALUES (getenv ('HOME'))
