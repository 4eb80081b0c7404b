/** Streams with their state and viewers, live. */
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import type { Column } from '../../components/Table.tsx'
import { Cell } from '../../components/Value.tsx'
import type { Row } from '../../data/resources.ts'
import { fieldLabel } from '../../locales/index.ts'
import { recordUrl, useRefresh } from '../../resource/generic.ts'
import type { ResourceScreenProps } from '../registry.ts'
import { EndSession } from './EndSession.tsx'
import { LiveList } from './LiveList.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { type Stream, useStreamTexts } from './texts.ts'

export default function StreamList({ resource }: ResourceScreenProps) {
  const c = useStreamTexts()
  const refresh = useRefresh(resource)
  const streamOf = (row: Row) => row as unknown as Stream
  const columns: Column<Row>[] = [
    {
      id: 'title',
      title: fieldLabel('title'),
      cell: row => (
        <Link className="row-link" to={recordUrl(resource, String(row.id))}>
          {String(row.title ?? row.code)}
        </Link>
      ),
    },
    { id: 'status', title: fieldLabel('status'), cell: row => <StatusBadge session={streamOf(row)} /> },
    { id: 'viewers', title: c.viewers, cell: row => <Cell name="viewers" value={row.viewer_count} /> },
    { id: 'sources', title: c.sources, cell: row => <Cell name="sources" value={streamOf(row).sources.length} /> },
    {
      id: 'visibility',
      title: fieldLabel('visibility'),
      cell: row => <Badge text={String(row.visibility)} label={c[streamOf(row).visibility]} />,
    },
    { id: 'code', title: c.code, cell: row => <code>{String(row.code)}</code> },
    { id: 'created', title: fieldLabel('createdAt'), cell: row => <Cell name="created_at" value={row.created_at} /> },
  ]
  return (
    <LiveList
      resource={resource}
      columns={columns}
      rowActions={row => <EndSession isCompact session={streamOf(row)} onDone={refresh} />}
    />
  )
}
