/** Former versions of a row: who changed what, with the values before and after, and a button that restores each. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { ListContent } from '../components/ListContent.tsx'
import { LoadMore } from '../components/LoadMore.tsx'
import { RecordName } from '../components/RecordName.tsx'
import { TextDiff } from '../components/TextDiff.tsx'
import type { Collection } from '../data/collection.ts'
import { useRows } from '../data/list.ts'
import type { Resource, Row, Scope } from '../data/resources.ts'
import { fill, formatDate } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { labelIn, useRefresh } from './generic.ts'
import { CommandRunner, type RecordCommand, useRecordCommands } from './RecordActions.tsx'
import { FieldValue, isLong } from './RowFacts.tsx'
import styles from './VersionHistory.module.css'

interface Version extends Row {
  readonly revision: number
  readonly changedAt: string
  readonly changedBy: string | null
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
}
interface Props {
  /** The resource of the versions. */
  readonly resource: Resource
  /** The resource of the rows. */
  readonly rows: Resource
  readonly collection: Collection
  readonly scope: Scope
}

export default function VersionHistory({ resource, rows, collection, scope }: Props) {
  const c = useCollectionTexts()
  const list = useRows<Version>(resource, {}, scope, true)
  const refresh = useRefresh(rows)
  const commands = useRecordCommands(resource)
  const [running, setRunning] = useState<{ readonly command: RecordCommand; readonly row: Row }>()
  const versions = list.rows
  return (
    <ListContent list={list} isEmpty={versions.length === 0} empty={<EmptyState icon="history" title={c.noVersions} />}>
      <ol className={styles.versions}>
        {versions.map(version => (
          <li key={version.revision} className="card panel">
            <header className="row">
              <h2>{fill(c.version, { revision: version.revision + 1 })}</h2>
              <span className="muted">
                {version.changedBy ? <RecordName id={version.changedBy} /> : c.automatic} ·{' '}
                {formatDate(version.changedAt)}
              </span>
              {commands.map(command => (
                <Button key={command.operation.id} onPress={() => setRunning({ command, row: version })}>
                  {fill(c.restoreVersion, { revision: version.revision })}
                </Button>
              ))}
            </header>
            {/* A row that comes back from the trash has a version without changes. */}
            {Object.keys(version.changes).length > 0 && (
              <table className={styles.changes}>
                <thead>
                  <tr>
                    <th scope="col">{c.field}</th>
                    <th scope="col">{c.before}</th>
                    <th scope="col">{c.after}</th>
                  </tr>
                </thead>
                <tbody>
                  {Object.entries(version.changes).map(([name, { before, after }]) => (
                    <tr key={name}>
                      <th scope="row">{labelIn(rows, name)}</th>
                      {isLong(before) || isLong(after) ? (
                        <td colSpan={2}>
                          <TextDiff before={String(before ?? '')} after={String(after ?? '')} />
                        </td>
                      ) : (
                        [before, after].map((value, index) => (
                          <td key={index === 0 ? 'before' : 'after'}>
                            <FieldValue name={name} states={rows.states[name]} collection={collection} value={value} />
                          </td>
                        ))
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </li>
        ))}
      </ol>
      <LoadMore list={list} text={c.olderVersions} />
      <CommandRunner
        resource={resource}
        scope={scope}
        rows={running ? [running.row] : []}
        command={running?.command}
        onClose={() => setRunning(undefined)}
        onDone={() => refresh()}
      />
    </ListContent>
  )
}
