/** Leads from a refused change to the rows that it conflicts with. */
import { ScreenLink } from '../components/ScreenLink.tsx'
import { conflictOf } from '../data/conflict.ts'
import { useDocument } from '../data/document.ts'
import type { Resource, Row } from '../data/resources.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { useCollectionTexts } from './collection-texts.ts'
import { resourcePath } from './generic.ts'
import { referenceTo } from './sources.ts'

interface Props {
  readonly resource: Resource
  readonly failure: unknown
  /** The values that were refused, together with those that would have stayed. */
  readonly row: Row
}

export default function ConflictLinks({ resource, failure, row }: Props) {
  const c = useCollectionTexts()
  const { data: document } = useDocument()
  const { rows, taken } = conflictOf(failure, document?.collection(resource.operations.list.id), row)
  if (rows)
    return (
      <p>
        {c.see} <CollectionCell name="" field={referenceTo(rows.collection)} value={rows.ids} />
      </p>
    )
  return taken ? (
    <p>
      <ScreenLink className="name-link" to={resourcePath(resource)} search={{ filters: taken }}>
        {c.findTaken}
      </ScreenLink>
    </p>
  ) : null
}
