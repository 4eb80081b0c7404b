/** Emails of every workspace in the operator's search. */
import { type Deps, foldedContaining, type Registrations } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { messageTable } from '../records/message.ts'

/** Subjects and parts of addresses are found in this number of the newest messages. */
const SEARCHED_MESSAGES = 10_000

const FIND = `with recent as (
    select tenant_id, id from (
      select tenant_id, id, recipient, subject from comms_messages order by id desc limit ${SEARCHED_MESSAGES}
    ) as newest where larder_folded(recipient) like $2 or larder_folded(subject) like $2 order by id desc limit $3
  ), addressed as (
    select tenant_id, id from comms_messages where recipient_key = $1 order by id desc limit $3
  )
  select ${messageTable.columns('m')} from comms_messages m
   where (m.tenant_id, m.id) in (select * from recent union select * from addressed) or m.id = $4
   order by m.id desc limit $3`

export const searchSources = ({ systemDatabase }: Deps<'systemDatabase'>): Registrations['search'] => [
  {
    name: 'emails',
    title: 'Emails',
    allow: 'communications.message.read_all',
    resource: 'comms.all-messages',
    async find(words, limit) {
      const unit = systemDatabase.acrossTenants('an operator searches the emails of every tenant')
      const found = await messageTable.query(unit, FIND, [emailKey(words), foldedContaining(words), limit, words])
      return found.map(({ id, subject, to, tenantId }) => ({ id, title: subject, detail: to, tenantId }))
    },
  },
]
