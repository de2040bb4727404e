INSERT INTO nums VALUES (1, 2.5)

INSERT INTO nums VALUES (1, 2.5), (2, NULL);

insert into main.nums (n) select id from orders where region = 'north'

INSERT INTO nums BY NAME SELECT 1 AS n

INSERT INTO nums DEFAULT VALUES

INSERT INTO nums (n, v) VALUES (abs(-1), DEFAULT) RETURNING n, v + 1 AS w

INSERT INTO customers (name, email) SELECT upper(name), concat(name, '@x') FROM customers AS c WHERE c.id IN (SELECT customer_id FROM orders)

INSERT INTO customers (id, name) VALUES ($1, $2)

INSERT INTO customers (id, name) VALUES (?, ?)

INSERT INTO customers (id, name) VALUES (1, $name)

INSERT INTO keyed VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = excluded.name || '!'

INSERT INTO keyed VALUES (1, 'x') ON CONFLICT DO NOTHING

INSERT OR REPLACE INTO keyed VALUES (1, 'y')

INSERT OR IGNORE INTO keyed (id, name) VALUES (1, 'y')

INSERT INTO nums (n) WITH x(a) AS (SELECT 1) SELECT a FROM x

WITH x(a) AS MATERIALIZED (SELECT 1) INSERT INTO nums (n) SELECT a FROM x

INSERT INTO nums (n) FROM range(3)

INSERT INTO nums (n) SELECT r.i FROM range(1, 3) AS r(i), unnest([1, 2]) AS u(x)

INSERT INTO nums (n) SELECT a FROM (VALUES (1), (2)) v(a)

INSERT INTO nums (n) SELECT count(*) FROM orders GROUP BY region HAVING sum(amount) > 1

INSERT INTO nums (n) SELECT row_number() OVER (PARTITION BY region ORDER BY id) FROM orders

INSERT INTO nums (n) SELECT CAST('1' AS DECIMAL(10, 2)) + '2'::DECIMAL(4, 1)

INSERT INTO customers (name) VALUES ('it''s; DROP TABLE customers --')

INSERT INTO customers (name) VALUES (E'line\n\'quoted\'')

INSERT INTO customers (name) VALUES ($$dollar 'quoted'$$)

INSERT INTO customers (name) SELECT trim(BOTH 'x' FROM name) FROM customers WHERE extract(year FROM signed_up) = 2020

INSERT INTO customers (name) SELECT name.upper() FROM customers

INSERT INTO customers (name) SELECT CASE WHEN id IN (1, 2) AND NOT (name LIKE ('A%')) THEN name ELSE coalesce(email, 'none') END FROM customers

INSERT INTO orders (id, tags, item) VALUES (9, ['a', 'b'], {'sku': 'z', 'qty': 1})

INSERT INTO nums (n) SELECT "2" FROM (PIVOT (SELECT 1 AS a, 2 AS b) ON b IN (2) USING count(*))

/* note */ INSERT INTO nums -- why
VALUES (/* one */ 1, 2)

UPDATE nums SET v = v + 1

UPDATE nums SET v = 0, n = n * 2 WHERE n BETWEEN (1) AND (3) RETURNING *

UPDATE customers SET name = lower(name) WHERE id IN (SELECT customer_id FROM orders)

UPDATE customers AS c SET name = o.region FROM orders AS o WHERE o.customer_id = c.id

UPDATE sales.targets SET target = (SELECT max(target) FROM sales.targets)

UPDATE customers SET "user" = CASE WHEN name = 'Ada' THEN 'x' END

UPDATE nums SET v = list_sum(list_transform([1, 2], x -> x + 1))

DELETE FROM nums

DELETE FROM nums WHERE n > 3 RETURNING n

DELETE FROM customers USING orders o WHERE o.customer_id = customers.id

DELETE FROM customers WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id)

WITH old AS (SELECT 1 AS id) DELETE FROM customers WHERE id IN (SELECT id FROM old)

MERGE INTO customers USING (SELECT 1 AS i, 'x' AS x) AS s ON customers.id = s.i WHEN MATCHED THEN UPDATE SET name = s.x WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.i, s.x)

MERGE INTO nums AS t USING orders AS o ON t.n = o.id WHEN MATCHED AND o.region = 'north' THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DO NOTHING

MERGE INTO nums USING orders ON n = id WHEN MATCHED THEN UPDATE SET v = amount RETURNING merge_action, n

CREATE TABLE fresh AS SELECT * FROM orders

CREATE OR REPLACE TABLE fresh AS SELECT region, sum(amount) AS total FROM orders GROUP BY ALL

CREATE TABLE IF NOT EXISTS fresh AS FROM nums

CREATE TABLE fresh(a, b) AS SELECT 1, 'x'

CREATE TABLE sales.fresh AS TABLE nums

CREATE TABLE "Fresh Table" AS VALUES (1, 2)

CREATE TABLE fresh AS (SELECT 1 AS a)

CREATE TABLE fresh AS WITH q AS (SELECT 1 AS a) SELECT * FROM q

CREATE TABLE fresh AS SELECT unnest([1, 2]) AS a, now() > TIMESTAMPTZ '2020-01-01' AS t, random() < 2 AS r

CREATE TABLE fresh AS SELECT * FROM orders o LEFT JOIN customers c ON o.customer_id = c.id ORDER BY o.id LIMIT 10

CREATE TABLE fresh AS SELECT * FROM (SUMMARIZE orders)

CREATE TABLE fresh AS SELECT "km/h" FROM (SELECT 1 AS "km/h")
