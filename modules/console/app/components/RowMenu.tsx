import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

interface Props {
  /** Name of the record. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Shows its title instead of an icon. */
  readonly isNamed?: boolean
}

/** The actions of one record, in its row and on its page. */
export function RowMenu({ label, items, isNamed = false }: Props) {
  const t = useTexts()
  if (items.length === 0) return null
  const title = t('actions')
  const name = `${title}: ${label}`
  const trigger = isNamed ? (
    <Button aria-label={name} icon="chevron-down">
      {title}
    </Button>
  ) : (
    <Button kind="quiet" icon="ellipsis" label={name} />
  )
  return <Menu label={title} trigger={trigger} items={items} />
}
