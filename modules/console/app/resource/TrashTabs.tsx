import { Link } from '@tanstack/react-router'
import { type Resource, useResources } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { resourcePath } from './generic.ts'
import styles from './TrashTabs.module.css'

/** Leads from a list to that of its deleted rows, and back. Nothing for a list without a trash. */
export function TrashTabs({ resource: { id } }: { readonly resource: Resource }) {
  const t = useTexts()
  const { data: resources = [] } = useResources()
  const owner = id.replace(/-trash$/, '')
  const list = resources.find(each => each.id === owner)
  const trash = resources.find(each => each.id === `${owner}-trash`)
  if (!list || !trash) return null
  return (
    <nav className={styles.tabs} aria-label={list.title}>
      {[list, trash].map(each => (
        <Link key={each.id} to={resourcePath(each)} activeOptions={{ exact: true, includeSearch: false }}>
          {each === list ? list.title : t('trash')}
        </Link>
      ))}
    </nav>
  )
}
