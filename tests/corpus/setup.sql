CREATE TABLE orders (id INTEGER, customer_id INTEGER, region VARCHAR, amount DECIMAL(10, 2), status VARCHAR, created TIMESTAMP, tags VARCHAR[], meta JSON, item STRUCT(sku VARCHAR, qty INTEGER));
INSERT INTO orders VALUES
  (1, 1, 'north', 10.50, 'open', '2024-01-05 10:00:00', ['a', 'b'], '{"channel": "web", "steps": [1, 2]}', {'sku': 'x-1', 'qty': 2}),
  (2, 1, 'south', 20.00, 'closed', '2024-02-06 11:30:00', ['b'], '{"channel": "app", "steps": []}', {'sku': 'x-2', 'qty': 1}),
  (3, 2, 'north', 5.25, 'open', '2024-02-07 09:15:00', [], '{"channel": "web"}', {'sku': 'x-1', 'qty': 7}),
  (4, 3, 'west', 99.99, 'closed', '2024-03-08 23:59:59', ['c', 'a'], NULL, {'sku': 'y-9', 'qty': 3}),
  (5, NULL, NULL, NULL, 'open', NULL, NULL, NULL, NULL);
CREATE TABLE customers (id INTEGER, name VARCHAR, email VARCHAR, country VARCHAR, signed_up DATE, "user" VARCHAR);
INSERT INTO customers VALUES
  (1, 'Ada', 'ada@example.com', 'GB', '2020-01-01', 'ada'),
  (2, 'Grace', 'grace@example.com', 'US', '2021-06-15', 'grace'),
  (3, 'Élodie', 'elodie@example.fr', 'FR', '2022-12-31', 'elodie');
CREATE TABLE events (ts TIMESTAMPTZ, user_id INTEGER, kind VARCHAR, props MAP(VARCHAR, VARCHAR), score DOUBLE);
INSERT INTO events VALUES
  ('2024-01-01 00:00:00+00', 1, 'login', MAP {'ip': '10.0.0.1'}, 0.5),
  ('2024-01-01 01:00:00+00', 1, 'click', MAP {'page': '/home'}, 1.5),
  ('2024-01-02 00:30:00+00', 2, 'login', MAP {}, 'nan'),
  ('2024-01-03 00:00:00+00', 3, 'click', MAP {'page': '/a', 'ref': 'ad'}, NULL);
CREATE TABLE nums (n INTEGER, v DOUBLE);
INSERT INTO nums SELECT i, i * 1.5 FROM range(10) t(i);
CREATE SCHEMA sales;
CREATE TABLE sales.targets (region VARCHAR, quarter VARCHAR, target INTEGER);
INSERT INTO sales.targets VALUES ('north', 'Q1', 10), ('north', 'Q2', 20), ('south', 'Q1', 30), ('west', 'Q2', 5);
CREATE TABLE keyed (id INTEGER PRIMARY KEY, name VARCHAR);
