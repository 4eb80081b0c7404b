/** Sessions with their state, live. */
import { Link } from '@tanstack/react-router'
import type { Column } from '../../components/Table.tsx'
import { Cell } from '../../components/Value.tsx'
import type { Row } from '../../data/resources.ts'
import { fieldLabel } from '../../locales/index.ts'
import { recordUrl, useRefresh } from '../../resource/generic.ts'
import type { ResourceScreenProps } from '../registry.ts'
import { EndSession } from '../streams/EndSession.tsx'
import { LiveList } from '../streams/LiveList.tsx'
import { StatusBadge } from '../streams/StatusBadge.tsx'
import { type Session, useStreamTexts } from '../streams/texts.ts'

export default function SessionList({ resource }: ResourceScreenProps) {
  const c = useStreamTexts()
  const refresh = useRefresh(resource)
  const sessionOf = (row: Row) => row as unknown as Session
  const columns: Column<Row>[] = [
    {
      id: 'code',
      title: c.code,
      cell: row => (
        <Link className="row-link" to={recordUrl(resource, String(row.id))}>
          {String(row.code)}
        </Link>
      ),
    },
    { id: 'status', title: fieldLabel('status'), cell: row => <StatusBadge session={sessionOf(row)} /> },
    { id: 'mode', title: c.mode, cell: row => c[sessionOf(row).mode] },
    { id: 'customer', title: c.customer, cell: row => <Cell name="customer" value={row.customer} /> },
    { id: 'purpose', title: c.reason, cell: row => <Cell name="purpose" value={row.purpose} /> },
    { id: 'created', title: fieldLabel('createdAt'), cell: row => <Cell name="created_at" value={row.created_at} /> },
    { id: 'ended', title: c.endedAt, cell: row => <Cell name="ended_at" value={row.ended_at} /> },
  ]
  return (
    <LiveList
      resource={resource}
      columns={columns}
      rowActions={row => <EndSession isCompact session={sessionOf(row)} onDone={refresh} />}
    />
  )
}
