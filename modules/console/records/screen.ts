import { Nullable, named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

export const ListedScreen = named(
  'ConsoleScreen',
  Type.Object({
    module: Type.String(),
    name: Type.String({ description: 'Identifies the screen in its module' }),
    title: Type.String({ description: 'Empty for a screen that replaces one of a resource' }),
    icon: Nullable(Type.String({ description: 'Name of a Lucide icon' })),
    group: Nullable(Type.String({ description: 'Group of the navigation, if it is not that of the module' })),
    path: Nullable(
      Type.String({ description: 'Below the address of the module. `$` begins a parameter: `stock/$id`' }),
    ),
    resource: Nullable(
      Type.String({ description: 'Id of the resource whose screen it replaces, or whose records have the tab' }),
    ),
    view: Nullable(
      OneOf(['list', 'record', 'create', 'edit'], { description: 'The screen of the resource that it replaces' }),
    ),
    tab: Nullable(Type.String({ description: 'Key of the tab that records of the resource have' })),
    page: Nullable(Type.String({ description: 'Path of a page of the product, to which the navigation leads' })),
  }),
)
export type ListedScreen = Static<typeof ListedScreen>
