/** Columns of a list: values, headers that sort, and inputs while the list is edited. */
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Column } from '../components/Table.tsx'
import { Cell } from '../components/Value.tsx'
import type { Collection } from '../data/collection.ts'
import type { Field } from '../data/form-model.ts'
import { keyOf, labelOf, type Resource, type Row, type Scope, valueAt } from '../data/resources.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { labelIn, recordUrl, searchOf, statesIn } from './generic.ts'

const InlineCell = lazy(() => import('./InlineCell.tsx'))

/** The first column leads to the record. */
export function columnOf(
  resource: Resource,
  collection: Collection | undefined,
  name: string,
  isFirst: boolean,
  scope: Scope,
): Column<Row> {
  const cell = (row: Row) =>
    collection ? (
      <CollectionCell
        name={name}
        field={collection.fields[name]}
        states={resource.states[name]}
        value={valueAt(row, name)}
      />
    ) : (
      <Cell
        name={name}
        value={valueAt(row, name)}
        currency={row.currency}
        states={statesIn(resource, name)}
        isLink={isFirst}
      />
    )
  return {
    id: name,
    title: labelIn(resource, name),
    cell:
      isFirst && (resource.operations.get || resource.operations.update)
        ? row => (
            <Link className="row-link" to={recordUrl(resource, keyOf(resource, row))} search={searchOf(scope)}>
              {valueAt(row, name) ? cell(row) : labelOf(resource, row)}
            </Link>
          )
        : cell,
  }
}

/** The input of a column whose values can be changed in the list. */
export function editorOf(
  resource: Resource,
  name: string,
  editable: readonly Field[],
  scope: Scope,
  shown: Column<Row>['cell'],
): Partial<Column<Row>> {
  const { update } = resource.operations
  const field = editable.find(each => each.name === name)
  if (!field || !update) return {}
  return {
    cell: row => (
      <Suspense fallback={shown(row)}>
        <InlineCell resource={resource} update={update} scope={scope} field={field} row={row} />
      </Suspense>
    ),
  }
}

/** Ascending, then descending, then the default order. */
export function sortOf(
  name: string,
  sorts: readonly string[],
  sort: string | undefined,
  onSort: (sort: string | undefined) => void,
): Column<Row>['sort'] {
  if (!sorts.includes(name) || !sorts.includes(`-${name}`)) return undefined
  if (sort === name) return { direction: 'ascending', onSort: () => onSort(`-${name}`) }
  if (sort === `-${name}`) return { direction: 'descending', onSort: () => onSort(undefined) }
  return { direction: 'none', onSort: () => onSort(name) }
}
