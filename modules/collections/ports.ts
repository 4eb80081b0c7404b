/** Types that the module adds to the contract. Types only. */
declare module 'larder/kernel' {
  interface Jobs {
    'collections.purge_retired': object
  }
}

export {}
