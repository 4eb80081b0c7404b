import { defineOperatorErrors } from '../../kernel/internal.ts'

export const errors = defineOperatorErrors({
  plan_no_database: [
    'There is no database yet: {folder} has none.',
    'Set DATABASE_URL, or LARDER_DATA to the folder of the embedded database. The first start creates it.',
  ],
})
