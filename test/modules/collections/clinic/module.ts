import { defineCollection, rowHooks } from '@larder-dev/larder/collections'
import { defineModule } from '../../../../kernel/index.ts'

export const findings = defineCollection({
  name: 'findings',
  fields: {
    code: { type: 'text', unique: true },
    title: { type: 'text' },
    scan: { type: 'file' },
    sheet: { type: 'file', readOnly: true },
  },
  history: 5,
  trash: '30d',
  access: {
    read: { 'tenant.customer': { createdBy: '$user' }, 'tenant.owner': true },
    create: { 'tenant.customer': true },
    update: { 'tenant.customer': { createdBy: '$user' }, 'tenant.owner': true },
    delete: { 'tenant.customer': { createdBy: '$user' } },
  },
})

/** A practice whose hook puts the file that a title names into the row. */
const sheetOf = ({ values: { title } }: { readonly values: { readonly title?: string | null } }) =>
  title?.startsWith('sheet ') ? { sheet: title.slice(6) } : undefined

export default defineModule({
  name: 'clinic',
  needs: ['collections'],
  collections: [findings],
  rowHooks: () => [rowHooks(findings, { beforeCreate: sheetOf, beforeUpdate: sheetOf })],
})
