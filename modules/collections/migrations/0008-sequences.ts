import type { Migration } from '@larder-dev/larder/kernel'

/** The last number of each workspace, and what expressions do with days and times. A time is milliseconds since 1970. */
export const up: Migration = async ({ query, tenantTable }) => {
  await tenantTable(
    'collections_sequences',
    'collection text not null, last_number bigint not null, primary key (tenant_id, collection)',
  )
  for (const sql of FUNCTIONS) await query(sql)
}

export const down: Migration = async ({ query }) => {
  await query('drop table collections_sequences')
  for (const name of NAMES) await query(`drop function ${name}`)
}

/** Null beyond the years 1 to 9999. */
const FUNCTIONS = [
  `create function larder_day(days double precision) returns date language sql immutable strict parallel safe as $$
     select case when days between -719162 and 2932896 then date '1970-01-01' + days::integer end $$`,
  `create function larder_time(value double precision) returns timestamptz language sql immutable strict parallel safe as $$
     select case when value >= -62135596800000 and value < 253402300800000 then to_timestamp(floor(value + 0.5) / 1000) end $$`,
  `create function larder_day_text(days double precision) returns text language sql immutable strict parallel safe as $$
     select case when days between -719162 and 2932896 then concat(
       lpad(extract(year from date '1970-01-01' + days::integer)::text, 4, '0'), '-',
       lpad(extract(month from date '1970-01-01' + days::integer)::text, 2, '0'), '-',
       lpad(extract(day from date '1970-01-01' + days::integer)::text, 2, '0')) end $$`,
  `create function larder_add_months(days double precision, months double precision) returns double precision
     language sql immutable strict parallel safe as $$
     select case when days between -719162 and 2932896 and abs(months) <= 120000
       then (select case when day between date '0001-01-01' and date '9999-12-31' then (day - date '1970-01-01')::double precision end
         from (select (date '1970-01-01' + days::integer + make_interval(months => months::integer))::date as day) found) end $$`,
  `create function larder_position(value double precision) returns integer language sql immutable strict parallel safe as $$
     select floor(least(greatest(value, -1e9), 1e9) + 0.5)::integer $$`,
]
const NAMES = ['larder_day', 'larder_time', 'larder_day_text', 'larder_add_months', 'larder_position']
