SELECT 1

select 1;

SELECT 1;;

-- a leading comment
SELECT 1

/* a block comment */ SELECT 1 /* trailing */ -- and a line

/* nested /* comment */ still */ SELECT 1

SELECT 'a; b' AS text, 'DROP TABLE orders' AS quoted

SELECT $$dollar; quoted$$ AS a, $tag$it's $$ inside$tag$ AS b

SELECT E'line\nbreak\'s' AS escaped, 'it''s' AS doubled

SELECT 'COPY (SELECT 42) TO ''out.csv''' AS harmless

(SELECT 1)

((SELECT 1))

(SELECT 1) UNION ALL (SELECT 2)

VALUES (1, 'a'), (2, 'b')

(VALUES (1))

TABLE orders

FROM orders

FROM orders SELECT region, amount WHERE amount > 5 ORDER BY amount

FROM orders LIMIT 2

SELECT * FROM orders

SELECT id, region FROM orders WHERE status = 'open'

SELECT DISTINCT region FROM orders ORDER BY region NULLS LAST

SELECT DISTINCT ON (region) region, id FROM orders ORDER BY region, id

SELECT region, sum(amount) AS total FROM orders GROUP BY region ORDER BY total DESC

SELECT region, sum(amount) FROM orders GROUP BY 1

SELECT region, status, count(*) FROM orders GROUP BY ALL ORDER BY ALL

SELECT region, sum(amount) FROM orders GROUP BY region HAVING sum(amount) > 6

SELECT region, status, sum(amount), grouping(region) FROM orders GROUP BY ROLLUP (region, status)

SELECT region, status, sum(amount) FROM orders GROUP BY CUBE (region, status)

SELECT region, status, sum(amount) FROM orders GROUP BY GROUPING SETS ((region), (status), ())

SELECT count(*) FILTER (WHERE status = 'open'), count(*) FILTER (status = 'closed') FROM orders

SELECT count(DISTINCT region), count(*), count() FROM orders

SELECT string_agg(name, ', ' ORDER BY name DESC) FROM customers

SELECT array_agg(id ORDER BY id), list(region) FROM orders

SELECT quantile_cont(amount, 0.5), median(amount), mode(status) FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders

SELECT arg_max(id, amount), min_by(id, amount), first(id ORDER BY id) FROM orders

SELECT approx_count_distinct(region), stddev(amount), var_pop(amount), corr(id, amount) FROM orders

SELECT histogram(n), entropy(n), kurtosis(v), skewness(v) FROM nums

SELECT bool_and(n > 0), bool_or(n > 5), bit_and(n), bit_xor(n) FROM nums

SELECT o.id, c.name FROM orders o JOIN customers c ON o.customer_id = c.id

SELECT o.id, c.name FROM orders AS o LEFT JOIN customers AS c ON o.customer_id = c.id ORDER BY 1

SELECT o.id, c.id FROM orders o FULL OUTER JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id

SELECT count(*) FROM orders, customers

SELECT count(*) FROM orders CROSS JOIN nums

SELECT id FROM orders JOIN customers USING (id)

SELECT count(*) FROM orders NATURAL JOIN customers

SELECT id FROM orders SEMI JOIN customers ON orders.customer_id = customers.id

SELECT id FROM orders ANTI JOIN customers ON orders.customer_id = customers.id

SELECT * FROM nums a POSITIONAL JOIN nums b

SELECT e.kind, n.n FROM events e ASOF JOIN nums n ON e.score >= n.v

SELECT c.name, x.total FROM customers c, LATERAL (SELECT sum(amount) AS total FROM orders o WHERE o.customer_id = c.id) x

SELECT c.name, x.id FROM customers c CROSS JOIN LATERAL (SELECT id FROM orders o WHERE o.customer_id = c.id ORDER BY id LIMIT 1) x

SELECT * FROM (orders JOIN customers ON orders.customer_id = customers.id)

SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)

SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)

SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

SELECT name FROM customers c WHERE NOT EXISTS (FROM orders o WHERE o.customer_id = c.id)

SELECT id FROM orders WHERE amount > ALL (SELECT amount FROM orders WHERE region = 'north')

SELECT id FROM orders WHERE amount = ANY (SELECT max(amount) FROM orders)

SELECT id FROM orders WHERE (region, status) IN (('north', 'open'), ('west', 'closed'))

SELECT (SELECT max(amount) FROM orders) AS top, (SELECT count(*) FROM nums) AS n

SELECT id, (SELECT name FROM customers c WHERE c.id = o.customer_id) AS name FROM orders o

SELECT ARRAY(SELECT n FROM nums WHERE n < 3 ORDER BY n)

WITH o AS (SELECT * FROM orders) SELECT count(*) FROM o

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b

WITH a(x, y) AS (VALUES (1, 2), (3, 4)) FROM a SELECT x + y

WITH o AS MATERIALIZED (SELECT * FROM orders) SELECT count(*) FROM o

WITH o AS NOT MATERIALIZED (SELECT * FROM orders) SELECT count(*) FROM o JOIN o AS p USING (id)

WITH orders AS (SELECT * FROM orders WHERE region = 'north') SELECT count(*) FROM orders

WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n) FROM t

WITH RECURSIVE t(n) USING KEY (n) AS (SELECT 1 UNION SELECT n + 1 FROM t WHERE n < 4) SELECT count(*) FROM t

SELECT * FROM (WITH x AS (SELECT 1 AS a) SELECT * FROM x) AS q

WITH deleted AS (SELECT 'delete from t' AS x) SELECT * FROM deleted

WITH sqlite_master AS (SELECT 1 AS x) SELECT * FROM sqlite_master

SELECT 1 UNION SELECT 2 UNION ALL SELECT 2 ORDER BY 1

SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b

SELECT n FROM nums INTERSECT SELECT id FROM orders

SELECT n FROM nums EXCEPT SELECT id FROM orders

SELECT n FROM nums EXCEPT ALL SELECT id FROM orders ORDER BY n DESC LIMIT 2

SELECT id, row_number() OVER (PARTITION BY region ORDER BY amount) FROM orders

SELECT id, sum(amount) OVER w, avg(amount) OVER w FROM orders WINDOW w AS (PARTITION BY region ORDER BY id)

SELECT id, sum(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders

SELECT n, sum(n) OVER (ORDER BY n RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM nums

SELECT n, sum(n) OVER (ORDER BY n GROUPS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES) FROM nums

SELECT id, lag(amount, 1, 0) OVER (ORDER BY id), lead(amount) OVER (ORDER BY id) FROM orders

SELECT id, first_value(amount IGNORE NULLS) OVER (ORDER BY id), nth_value(id, 2) OVER (ORDER BY id) FROM orders

SELECT n, ntile(3) OVER (ORDER BY n), percent_rank() OVER (ORDER BY n), cume_dist() OVER (ORDER BY n) FROM nums

SELECT id, count(*) FILTER (WHERE status = 'open') OVER (PARTITION BY region) FROM orders

SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY id) = 1

SELECT * FROM orders ORDER BY amount DESC NULLS LAST, id ASC LIMIT 2 OFFSET 1

SELECT * FROM nums ORDER BY n LIMIT (SELECT 1 + 1)

SELECT * FROM nums LIMIT 50%

SELECT count(*) FROM nums TABLESAMPLE reservoir(3 ROWS) REPEATABLE (7)

SELECT count(*) >= 0 FROM nums USING SAMPLE 50 PERCENT (bernoulli)

SELECT count(*) >= 0 FROM nums TABLESAMPLE 10%

SELECT CASE WHEN amount > 10 THEN 'big' WHEN amount IS NULL THEN 'none' ELSE 'small' END FROM orders

SELECT CASE region WHEN 'north' THEN 1 END FROM orders

SELECT coalesce(region, 'none'), nullif(region, 'north'), ifnull(amount, 0), if(amount > 1, 'y', 'n') FROM orders

SELECT greatest(1, 2, 3), least(1, 2), abs(-1), round(2.567, 2), 7 // 2, 7 % 2, 2 ** 3, 5!

SELECT -n, +n, ~n, n & 1, n | 2, n << 1, n >> 1, @ (n - 5) FROM nums

SELECT 1 = 1 AND NOT false OR true, 1 <> 2, 1 != 2, 1 <= 2, NULL IS NULL, 1 IS NOT NULL

SELECT 1 IS DISTINCT FROM NULL, 1 IS NOT DISTINCT FROM 1, true IS TRUE, NULL IS UNKNOWN

SELECT n BETWEEN 2 AND 4, n NOT BETWEEN 1 AND 2, n IN (1, 2), n NOT IN (3) FROM nums

SELECT name LIKE 'A%', name ILIKE 'a%', name NOT LIKE '%x', name LIKE 'A!%' ESCAPE '!', name GLOB 'A*' FROM customers

SELECT name SIMILAR TO 'A.*', name ~ 'A.a', name !~ 'x', regexp_matches(name, '^G'), starts_with(name, 'A'), name ^@ 'A' FROM customers

SELECT regexp_extract(email, '@(.+)$', 1), regexp_replace(email, '@.*', ''), regexp_extract_all('a1b2', '\d') FROM customers

SELECT upper(name), lower(name), length(name), name || '!' || email, concat(name, 1), concat_ws('-', 'a', 'b') FROM customers

SELECT substring(name, 1, 2), substring(name FROM 2 FOR 1), name[1], name[1:2], left(name, 1), right(name, 1) FROM customers

SELECT trim('  x '), trim(BOTH 'x' FROM 'xax'), ltrim('a'), rtrim('b'), replace('aba', 'a', 'c'), position('b' IN 'abc')

SELECT split_part('a,b', ',', 2), string_split('a b', ' '), format('{}-{}', 1, 'x'), printf('%05d', 7), repeat('ab', 2)

SELECT strip_accents(name), reverse(name), lpad('7', 3, '0'), levenshtein('kitten', 'sitting'), jaccard('ab', 'abc') FROM customers

SELECT md5('a'), sha256('a'), hash(1), to_hex(255), base64('a'::BLOB), encode('é'), chr(65), ascii('A'), unicode('é')

SELECT name.upper(), customers.name.lower().length() FROM customers

SELECT ('abc').upper(), [3, 1, 2].list_sort(), ('a,b').string_split(',')

SELECT region, o.amount.sum() FROM orders o GROUP BY region

SELECT date '2024-01-31' + INTERVAL 1 MONTH, timestamp '2024-01-01 10:00:00' - INTERVAL '2 hours', INTERVAL (1 + 1) DAY

SELECT date_trunc('month', created), date_part('year', created), extract(day FROM created), year(created), created::DATE FROM orders

SELECT date_diff('day', DATE '2024-01-01', DATE '2024-02-01'), age(DATE '2024-01-01', DATE '2020-01-01'), last_day(DATE '2024-02-01')

SELECT strftime(created, '%Y-%m'), strptime('2024-01-02', '%Y-%m-%d'), epoch(created), make_date(2024, 1, 2), dayname(created) FROM orders

SELECT ts AT TIME ZONE 'Europe/Paris', timezone('UTC', ts), time_bucket(INTERVAL '1 hour', ts) FROM events

SELECT current_date >= DATE '2020-01-01', now() > TIMESTAMPTZ '2020-01-01', current_timestamp IS NOT NULL, today() = current_date

SELECT count(*) FROM orders WHERE created > now() - INTERVAL 7 DAY

SELECT CAST('1' AS INTEGER), '1'::BIGINT, TRY_CAST('x' AS INTEGER), '1.5'::DECIMAL(4, 2), 'true'::BOOLEAN, '{"a": 1}'::JSON

SELECT NULL::VARCHAR[], [1, 2]::DOUBLE[], {'a': 1}::STRUCT(a BIGINT), MAP {'k': 1}::MAP(VARCHAR, DOUBLE), 'x'::ENUM ('x', 'y')

SELECT DATE '2024-01-01', TIME '10:00', TIMESTAMP '2024-01-01', UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', INT '3', '\xAA'::BLOB

SELECT 12345678901234567890, 170141183460469231731687303715884105727, 1e300, 'nan'::DOUBLE, 'infinity'::DATE, 0.1::FLOAT

SELECT tags[1], tags[-1], tags[1:1], len(tags), list_contains(tags, 'a'), 'b' IN tags FROM orders

SELECT [1, 2, 3], ARRAY[1, 2], [], [[1], [2, 3]], list_value(1, 2), [1, 2] || [3], [1, 2, 3][2:]

SELECT list_transform([1, 2, 3], x -> x * 2), list_filter([1, 2, 3], lambda x : x > 1), list_reduce([1, 2, 3], (a, b) -> a + b)

SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1], list_sum([1, 2]), list_sort([2, 1]), list_distinct([1, 1]), flatten([[1], [2]])

SELECT list_transform(tags, (t, i) -> t || i), list_zip([1, 2], ['a', 'b']), array_to_string(['a', 'b'], '-'), list_aggregate([1, 2], 'sum') FROM orders

SELECT apply([1, 2], x -> list_transform([x], y -> y + x)), range(3), generate_series(1, 3), [1, 2] && [2], [1, 2] @> [1]

SELECT unnest([1, 2, 3]) AS n, unnest(['a', 'b', 'c']) AS s

SELECT id, unnest(tags) FROM orders

SELECT o.id, t.tag FROM orders o, unnest(o.tags) AS t(tag)

SELECT * FROM unnest([10, 20]) WITH ORDINALITY AS t(v, i)

SELECT unnest({'a': 1, 'b': {'c': 2}}, recursive := true)

SELECT item.sku, item['qty'], (item).qty, struct_extract(item, 'sku'), item.* FROM orders

SELECT {'a': 1, 'b': 'x'}, struct_pack(a := 1, b := 2), row(1, 2), (1, 'x'), {'a': {'b': 1}}.a.b, struct_insert({'a': 1}, b := 2)

SELECT props['page'], map_keys(props), map_values(props), cardinality(props), element_at(props, 'ip'), MAP {'a': 1}['a'] FROM events

SELECT union_value(a := 1), union_tag(union_value(a := 1)), 1::UNION(num INTEGER, str VARCHAR)

SELECT meta->'channel', meta->>'channel', meta->'$.steps[0]', json_extract(meta, '$.channel'), meta->>'$.steps' FROM orders

SELECT json_extract_string(meta, 'channel'), json_array_length(meta->'steps'), json_keys(meta), json_type(meta), json_valid('{}') FROM orders

SELECT to_json({'a': 1}), json_object('a', 1), json_array(1, 'x'), from_json('{"a": 1}', '{"a": "INTEGER"}'), json_group_array(1)

SELECT j.key, j.value FROM orders, json_each(orders.meta) AS j

SELECT count(*) FROM json_tree('{"a": [1, 2]}')

SELECT * FROM range(5)

SELECT * FROM range(0, 10, 2) AS r(i), generate_series(1, 2) AS g(j)

SELECT * FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-03', INTERVAL 1 DAY)

SELECT count(*) FROM repeat('x', 3)

SELECT * EXCLUDE (meta, tags) FROM orders

SELECT * REPLACE (upper(region) AS region) FROM orders

SELECT * RENAME (id AS order_id) FROM orders

SELECT o.* EXCLUDE (meta), c.name FROM orders o JOIN customers c ON c.id = o.customer_id

SELECT COLUMNS(*) FROM nums

SELECT max(COLUMNS(* EXCLUDE (tags, meta, item))) FROM orders

SELECT COLUMNS('^n|v$') + 1 FROM nums

SELECT COLUMNS(c -> c LIKE 'n%') FROM nums

SELECT * LIKE 'n%' FROM nums

SELECT coalesce(*COLUMNS(['n', 'v'])) FROM nums

SELECT "user" FROM customers

SELECT user, name FROM customers

SELECT c."user", c.id AS "select", c.name "from", c.email AS pivot FROM customers c JOIN orders o ON o.customer_id = c.id

SELECT a: 1, b: 2 + 3

SELECT region, amount, FROM orders

SELECT id AS x, x + 1 AS y FROM orders WHERE x > 2

SELECT t FROM nums t LIMIT 1

SELECT main.nums.n, nums.v FROM main.nums

SELECT * FROM sales.targets

SELECT region, target FROM sales.targets WHERE quarter = 'Q1' ORDER BY 2 DESC

SELECT $1 + 1

SELECT ? || ?

SELECT id FROM orders WHERE region = $region AND amount > $least

SELECT * FROM nums ORDER BY n LIMIT $1

EXPLAIN SELECT * FROM orders

EXPLAIN ANALYZE SELECT count(*) FROM orders

EXPLAIN (FORMAT json) SELECT 1

EXPLAIN (ANALYZE, FORMAT text) SELECT 1

EXPLAIN (SELECT 1)

EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a

-- explained
EXPLAIN /* why */ FROM orders

SUMMARIZE orders

SUMMARIZE SELECT region, amount FROM orders

SELECT column_name, null_percentage FROM (SUMMARIZE orders)

DESCRIBE orders

DESC orders

DESCRIBE SELECT region, sum(amount) FROM orders GROUP BY 1

SELECT column_name FROM (DESCRIBE orders)

SHOW orders

SHOW TABLES

SHOW ALL TABLES

DESCRIBE

SELECT name FROM (SHOW TABLES)

SELECT table_name FROM information_schema.tables

SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'orders'

PIVOT sales.targets ON quarter USING sum(target)

PIVOT sales.targets ON quarter IN ('Q1', 'Q2') USING sum(target) GROUP BY region

PIVOT sales.targets ON quarter USING sum(target) AS total, count(*) AS n GROUP BY region ORDER BY region LIMIT 2

PIVOT (SELECT region, status, amount FROM orders WHERE region IS NOT NULL) ON status USING max(amount)

PIVOT orders ON region, status USING count(*)

PIVOT orders ON year(created) USING sum(amount) GROUP BY status

PIVOT orders ON status || '-' || region USING sum(amount) GROUP BY customer_id

PIVOT orders ON amount > 10 USING count(*) GROUP BY status

PIVOT orders ON CASE WHEN amount IN (5.25, 20) THEN 'listed' ELSE 'other' END USING count(*) GROUP BY status

PIVOT_WIDER sales.targets ON quarter USING first(target)

PIVOT sales.targets ON quarter IN ('Q1'), region USING sum(target)

PIVOT sales.targets ON quarter

PIVOT sales.targets t JOIN orders o ON t.region = o.region ON quarter USING sum(amount) GROUP BY status

WITH t AS (SELECT * FROM sales.targets) PIVOT t ON quarter USING sum(target)

WITH p AS (PIVOT sales.targets ON quarter USING sum(target)) SELECT * FROM p ORDER BY region

WITH a AS (SELECT * FROM sales.targets WHERE target > 5), p AS (PIVOT a ON quarter USING sum(target) GROUP BY region) SELECT * FROM p, nums WHERE n = 1

SELECT * FROM (PIVOT sales.targets ON quarter USING sum(target)) AS p WHERE region = 'north'

SELECT count(*) FROM (PIVOT (PIVOT sales.targets ON quarter USING sum(target)) ON region USING count(*))

FROM sales.targets PIVOT (sum(target) FOR quarter IN ('Q1', 'Q2') GROUP BY region)

SELECT * FROM sales.targets AS t PIVOT (sum(target) AS s FOR quarter IN ('Q1' AS first, 'Q2' AS second)) AS p

PIVOT (SELECT * FROM sales.targets WHERE false) ON quarter IN ('Q1') USING sum(target)

EXPLAIN PIVOT sales.targets ON quarter USING sum(target)

PIVOT sales.targets ON quarter USING sum(target) UNION ALL BY NAME SELECT 'all' AS region

UNPIVOT nums ON n, v INTO NAME k VALUE x

UNPIVOT (SELECT n, n + 1 AS m FROM nums) ON COLUMNS(*) INTO NAME k VALUE x

FROM nums UNPIVOT INCLUDE NULLS (x FOR k IN (n))

SELECT k, sum(x) FROM (UNPIVOT (SELECT n, n * 2 AS m FROM nums) ON n, m INTO NAME k VALUE x) GROUP BY k

PIVOT_LONGER (SELECT n, n + 1 AS m FROM nums) ON n, m

SELECT * FROM '$DIR/people.csv'

SELECT * FROM "$DIR/people.csv" AS p WHERE p.id = 1

FROM '$DIR/people.json'

SELECT count(*) FROM read_csv('$DIR/people.csv')

SELECT * FROM read_csv_auto('$DIR/people.csv', header = true, delim = ',', nullstr := 'none')

SELECT * FROM READ_CSV(['$DIR/people.csv', '$DIR/people.csv'], union_by_name = true, columns = {'id': 'INTEGER', 'name': 'VARCHAR'})

SELECT p.name, o.amount FROM read_csv('$DIR/people.csv', skip => 0, types = {'id': 'BIGINT'}) AS p JOIN orders o ON o.customer_id = p.id

SELECT * FROM read_json('$DIR/people.json', format = 'auto', maximum_depth = 3)

SELECT * FROM read_ndjson('$DIR/people.json', columns = {'id': 'INTEGER'})

SELECT * FROM read_parquet('$DIR/people.parquet', hive_partitioning = false)

SELECT n AS "naïve — ünïcode", '漢字 🎉' AS emoji FROM nums

SELECT 1 AS now, 2 AS current_date_, 3 AS "getenv"

SELECT query.n AS query, attach.n AS copy FROM nums AS query JOIN nums AS attach ON query.n = attach.n

SELECT "set".n FROM nums AS "set"

SELECT CAST(n AS VARCHAR) COLLATE NOCASE FROM nums ORDER BY n::VARCHAR COLLATE NOCASE

SELECT name FROM customers ORDER BY name COLLATE de

SELECT random() >= 0, uuid() IS NOT NULL

SELECT try(1 / 0), error IS NULL FROM (SELECT NULL AS error)

SELECT typeof(amount), pg_typeof(amount) FROM orders

SELECT sum(n) FROM nums WHERE n % 2 = 0 AND (v > 1 OR v < 0) AND NOT (n = 4)

SELECT region, count(*) AS n FROM orders WHERE region IS NOT NULL GROUP BY region UNION ALL SELECT 'all', count(*) FROM orders ORDER BY n DESC, region

SELECT * FROM (SELECT id, rank() OVER (ORDER BY amount DESC) AS r FROM orders) WHERE r <= 3

SELECT a.n, b.n FROM nums a JOIN nums b ON a.n < b.n AND b.n - a.n = 1 WHERE a.n IN (SELECT id FROM orders)

SELECT date_trunc('week', created) AS week, sum(amount) AS total, sum(sum(amount)) OVER (ORDER BY date_trunc('week', created)) AS running FROM orders GROUP BY week ORDER BY week

SELECT list(DISTINCT kind ORDER BY kind), max(score) FILTER (WHERE NOT isnan(score)), sum(CASE WHEN kind = 'login' THEN 1 ELSE 0 END) FROM events

SELECT #1 FROM (SELECT 5 AS a)

SELECT count(*) FROM ONLY orders

SELECT 1 -- a trailing comment without a line's end

SELECT	1,
  2

SELECT /* ' " $$ ; */ 1

PIVOT (SELECT * FROM sales.targets WHERE false) ON quarter USING sum(target)

PIVOT (SELECT id, region, status, amount FROM orders WHERE id < 0) ON status, region USING sum(amount)

PIVOT (SELECT id, region, status FROM orders WHERE region IS NULL) ON region USING count(*) GROUP BY status
