/** What is known of a sandbox's folder between two operations of this process. */
export interface PresentTree {
  /** The tree the folder had when it was last looked at or written; null: look at all of it. */
  tree: string | null
  /** The index lacks what was recorded without it. */
  isIndexBehind: boolean
}
