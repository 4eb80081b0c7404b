import type { Migration } from '@larder-dev/larder/kernel'

/** The audience of the product with which people signed up, and the role that they got. One row. */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_audience',
    `id boolean primary key default true check (id),
     audience text not null check (audience in ('teams', 'people')),
     customer_role text`,
  )
}

export const down: Migration = async m => {
  await m.query('drop table identity_audience')
}
