/*
 * Every function that SQL may call, and nothing else. A function is here when all it does is compute a value from its
 * arguments, the clock or chance. Not here: what reads or writes files, settings, variables, the environment, the
 * catalog or its statistics, runs or plans SQL text, takes pointers, logs, sleeps, changes state, or tells the host's
 * names, paths or versions. Judged on the list of `duckdb_functions()` of DuckDB 1.5.6; `functions.test.ts` fails when
 * a new version brings names that nobody has judged.
 */

const operators =
  '!__postfix !~~ !~~* % & && * ** + - ->> / // <-> << <=> <@ >> @ @> ^ ^@ | || ~ ~~ ~~* ~~~ ' +
  'like_escape not_like_escape ilike_escape not_ilike_escape'

const aggregates =
  'any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last ' +
  'arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and ' +
  'bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean ' +
  'geometric_mean group_concat histogram histogram_exact json_group_array json_group_object json_group_structure ' +
  'kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median min min_by mode product quantile ' +
  'quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy ' +
  'regr_syy reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan ' +
  'var_pop var_samp variance wavg weighted_avg'

const windowFunctions =
  'cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number'

const numbers =
  'abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees divide even exp ' +
  'factorial fdiv floor fmod gamma gcd greatest greatest_common_divisor isfinite isinf isnan lcm least ' +
  'least_common_multiple lgamma ln log log10 log2 mod multiply nextafter pi pow power radians round round_even ' +
  'roundbankers sign signbit sin sinh sqrt subtract tan tanh trunc xor'

const texts =
  'ascii bar base64 bin bit_length bit_position bitstring char_length character_length chr concat concat_ws contains ' +
  'damerau_levenshtein decode editdist3 encode ends_with format format_bytes formatreadabledecimalsize ' +
  'formatreadablesize from_base64 from_binary from_hex get_bit hamming hash hex instr jaccard jaro_similarity ' +
  'jaro_winkler_similarity lcase left left_grapheme len length length_grapheme levenshtein lower lpad ltrim md5 ' +
  'md5_number md5_number_lower md5_number_upper mismatches nfc_normalize octet_length ord parse_dirname parse_dirpath ' +
  'parse_filename parse_formatted_bytes parse_path pg_size_pretty position prefix printf regexp_escape regexp_extract ' +
  'regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table ' +
  'repeat replace reverse right right_grapheme rpad rtrim set_bit sha1 sha256 split split_part starts_with str_split ' +
  'str_split_regex string_split string_split_regex string_to_array strip_accents strlen strpos substr substring ' +
  'substring_grapheme suffix to_base to_base64 to_binary to_hex translate trim ucase unbin unhex unicode upper ' +
  'url_decode url_encode'

const dates =
  'century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname ' +
  'dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era hour isodow isoyear ' +
  'julian last_day make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz ' +
  'microsecond millennium millisecond minute month monthname nanosecond normalized_interval quarter second strftime ' +
  'strptime time_bucket timezone timezone_hour timezone_minute to_centuries to_days to_decades to_hours ' +
  'to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks ' +
  'to_years try_strptime week weekday weekofyear year yearweek'

const clock =
  'age ago current_date current_localtime current_localtimestamp current_time current_timestamp get_current_time ' +
  'get_current_timestamp localtime localtimestamp now today transaction_timestamp'

const chance = 'gen_random_uuid random uuid uuidv4 uuidv7'

const lists =
  'aggregate apply array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains ' +
  'array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct array_dot_product ' +
  'array_extract array_filter array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product ' +
  'array_intersect array_length array_negative_dot_product array_negative_inner_product array_pop_back ' +
  'array_pop_front array_position array_prepend array_push_back array_push_front array_reduce array_resize ' +
  'array_reverse array_reverse_sort array_select array_slice array_sort array_to_string ' +
  'array_to_string_comma_default array_transform array_unique array_value array_where array_zip equi_width_bins ' +
  'filter flatten generate_series generate_subscripts grade_up is_histogram_other_bin list_aggr list_aggregate ' +
  'list_any_value list_append list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor ' +
  'list_bool_and list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity ' +
  'list_count list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter ' +
  'list_first list_grade_up list_has list_has_all list_has_any list_histogram list_indexof list_inner_product ' +
  'list_intersect list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode ' +
  'list_negative_dot_product list_negative_inner_product list_pack list_position list_prepend list_product ' +
  'list_reduce list_resize list_reverse list_reverse_sort list_select list_sem list_skewness list_slice list_sort ' +
  'list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform list_unique list_value list_var_pop ' +
  'list_var_samp list_where list_zip range reduce unnest'

const nested =
  'cardinality element_at map map_concat map_contains map_contains_entry map_contains_value map_entries map_extract ' +
  'map_extract_value map_from_entries map_keys map_values row struct_concat struct_contains struct_extract ' +
  'struct_extract_at struct_has struct_indexof struct_insert struct_keys struct_pack struct_position struct_update ' +
  'struct_values union_extract union_tag union_value variant_extract variant_normalize variant_typeof'

const json =
  'array_to_json from_json from_json_strict json json_array json_array_length json_contains json_exists json_extract ' +
  'json_extract_path json_extract_path_text json_extract_string json_keys json_merge_patch json_object json_pretty ' +
  'json_quote json_structure json_transform json_transform_strict json_type json_valid json_value row_to_json to_json'

const others =
  'alias can_cast_implicitly cast_to_type enum_code enum_first enum_last enum_range enum_range_boundary error nullif ' +
  'pg_typeof st_asbinary st_astext st_aswkb st_aswkt st_geomfromwkb st_intersects_extent switch typeof ' +
  'uuid_extract_timestamp uuid_extract_version'

const tables = 'generate_series json_each json_tree pg_timezone_names range repeat repeat_row unnest'

/** Names in lower case. */
export const clockFunctions: ReadonlySet<string> = names(clock)
export const chanceFunctions: ReadonlySet<string> = names(chance)
export const scalarFunctions: ReadonlySet<string> = names(
  operators,
  aggregates,
  windowFunctions,
  numbers,
  texts,
  dates,
  clock,
  chance,
  lists,
  nested,
  json,
  others,
)
export const tableFunctions: ReadonlySet<string> = names(tables)

/** Columns that DuckDB reads as a function of this name where no column is called so. */
export const clockColumns: ReadonlySet<string> = names(
  'current_date current_time current_timestamp localtime localtimestamp',
)

/** The same, but they tell what the host named its catalogs and users. */
export const refusedColumns: ReadonlySet<string> = names(
  'current_catalog current_role current_schema current_user session_user',
)

/** Functions that read files in FROM, each with the format it reads. They never run: the resolver makes tables of them. */
export const fileFunctions: ReadonlyMap<string, FileFormat> = new Map<string, FileFormat>([
  ['read_csv', 'csv'],
  ['read_csv_auto', 'csv'],
  ['read_parquet', 'parquet'],
  ['parquet_scan', 'parquet'],
  ['read_json', 'json'],
  ['read_json_auto', 'json'],
  ['read_ndjson', 'ndjson'],
  ['read_ndjson_auto', 'ndjson'],
])

export type FileFormat = 'csv' | 'parquet' | 'json' | 'ndjson'

const hive = 'hive_partitioning hive_types hive_types_autocast union_by_name'
const jsonOptions =
  'auto_detect columns compression convert_strings_to_integers date_format dateformat field_appearance_threshold ' +
  'format ignore_errors map_inference_threshold maximum_depth maximum_object_size maximum_sample_files records ' +
  `sample_size timestamp_format timestampformat ${hive}`

/**
 * Named options of the file functions. Not here: `filename` (it tells the real path), `store_rejects` and its kin (they
 * make tables), `encryption_config` (it names keys).
 */
export const fileOptions: Readonly<Record<FileFormat, ReadonlySet<string>>> = {
  csv: names(
    'all_varchar allow_quoted_nulls auto_detect auto_type_candidates column_names column_types columns ' +
      'comment compression date_format dateformat decimal_separator delim delimiter dtypes encoding escape ' +
      'force_not_null header ignore_errors max_line_size maximum_line_size names new_line normalize_names ' +
      'null_padding nullstr quote sample_size sep skip strict_mode thousands timestamp_format ' +
      `timestampformat types ${hive}`,
  ),
  parquet: names(`binary_as_string can_have_nan file_row_number ${hive}`),
  json: names(jsonOptions),
  ndjson: names(jsonOptions),
}

const insteadOf: ReadonlyMap<string, string> = new Map([
  ...['query', 'query_table', 'json_execute_serialized_sql'].map(
    (name) => [name, 'Write the SQL itself, as a subquery or in WITH.'] as const,
  ),
  ...['read_text', 'read_blob', 'glob', 'sniff_csv', 'read_duckdb'].map(
    (name) => [name, 'Use a table of the workspace, or read_csv, read_json or read_parquet in FROM.'] as const,
  ),
  ...['current_setting', 'getenv', 'getvariable'].map(
    (name) => [name, 'Pass values as params of the query: $name or ?.'] as const,
  ),
  ...['nextval', 'currval'].map((name) => [name, 'Use row_number() OVER ().'] as const),
  ['setseed', 'Use TABLESAMPLE … REPEATABLE (n) for a sample that can be repeated.'],
])

/** What to write instead of a function that is not allowed. */
export function functionHint(name: string): string {
  const instead = insteadOf.get(name)
  if (instead !== undefined) return instead
  if (fileFunctions.has(name)) return `Use ${name} in FROM.`
  if (/^(?:duckdb_|pragma_|pg_|has_|sqlite_)/.test(name)) {
    return 'Use SHOW TABLES, DESCRIBE <table> or information_schema.columns.'
  }
  return 'Only functions that compute a value from their arguments may be called.'
}

function names(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')))
}
