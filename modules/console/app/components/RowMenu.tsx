import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

interface Props {
  /** Name of the record. */
  readonly label: string
  readonly items: readonly MenuItem[]
}

/** The actions of one record, in its row and on its page. */
export function RowMenu({ label, items }: Props) {
  const t = useTexts()
  if (items.length === 0) return null
  const title = t('actions')
  return (
    <Menu label={title} trigger={<Button kind="quiet" icon="ellipsis" label={`${title}: ${label}`} />} items={items} />
  )
}
