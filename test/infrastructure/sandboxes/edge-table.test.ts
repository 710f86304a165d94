import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const open = 'git-worktree-open'
const copy = 'filesystem-copy-open'
const apply = 'git-worktree-apply'
const isolation = 'git-worktree-isolation'
const restore = 'git-worktree-restore'
const meanwhile = 'apply-meanwhile'
const disk = 'apply-disk'

/**
 * The cases that broke sandboxes before, each with the tests that prove what must happen. A file without a folder lies
 * beside this one; the second part stands in the title of a test there.
 */
const proofs: Readonly<Record<string, readonly (readonly [file: string, title: string])[]>> = {
  'E01 no commits': [[open, 'a repository without commits works and stays without commits']],
  'E02 detached HEAD': [[open, 'a detached HEAD works and stays detached']],
  'E03 staged, unstaged, deleted, untracked': [
    [open, 'staged, unstaged, deleted, untracked and intended files'],
  ],
  'E04 unmerged, locked': [
    [open, 'a merge with conflicts is captured with its markers, and said'],
    [open, 'a lock on the index does not matter'],
  ],
  'E05 edits that git overlooks': [[open, 'edits that the index was told to overlook are captured']],
  'E06 ignored but tracked': [
    [isolation, 'a file that is tracked although ignored comes back like any other'],
  ],
  'E07 ignored files': [
    [open, 'ignored files stay behind except dependencies and what .worktreeinclude names'],
  ],
  'E08 linked dependencies': [[open, 'a linked dependency folder is not brought along']],
  'E09 submodule': [
    [open, 'repositories inside the project are left out, named, and not disturbed'],
    [
      open,
      'the files of a submodule come along in %s where .worktreeinclude names it, and nothing of them is applied',
    ],
  ],
  'E10 nested repository': [
    [open, 'repositories inside the project are left out, named, and not disturbed'],
    [copy, 'nested repositories of every form are left out, named, and never followed or written'],
  ],
  'E11 filter missing': [[isolation, 'a filter that is required and missing changes nothing']],
  'E12 content elsewhere': [[copy, 'files that stand for content elsewhere are named']],
  'E13 filter with effects': [[isolation, 'hooks, filters, monitors and signing of the project never run']],
  'E14 converted bytes': [
    [open, 'line endings, keywords and encodings stay as they are on disk'],
    [apply, 'line endings of files that git would convert are written as the plan left them'],
  ],
  'E15 links': [[open, 'links are kept and never followed; one that leads back into the project is named']],
  'E16 link into the project': [
    [open, 'links are kept and never followed; one that leads back into the project is named'],
  ],
  'E17 executable bit': [[open, 'executable bits come through, also where git was told to overlook them']],
  'E18 other permissions': [
    [restore, 'empty folders and permissions that git does not know are in the sandbox, and come back'],
    [copy, 'names of any bytes, permissions, times, links and empty folders are as they were'],
    [copy, 'a copy lends nobody the rights of its owner'],
    [apply, 'permissions are the user’s, the executable bit is the plan’s'],
  ],
  'E19 empty folders': [
    [restore, 'empty folders and permissions that git does not know are in the sandbox, and come back'],
    [copy, 'names of any bytes, permissions, times, links and empty folders are as they were'],
  ],
  'E20 names of any bytes': [[open, 'names of any bytes come through']],
  'E21 path too long': [
    ['long-path', 'with %s, a path longer than the system takes is left out and named, and the rest works'],
  ],
  'E22 capitals': [
    [meanwhile, 'a name that changes in capitals only is taken away before it is given again'],
  ],
  'E23 big file': [['big-files', 'are in the sandbox, named, and in no state']],
  'E24 sparse': [[open, 'a split index, and one with a sparse checkout, are read']],
  'E25 shallow': [[copy, 'shallow, sparse and partial clones are copied as they are on disk']],
  'E26 partial clone offline': [[copy, 'shallow, sparse and partial clones are copied as they are on disk']],
  'E27 bare': [
    [open, 'a folder without git, a part of a repository and a bare repository are refused with what to do'],
  ],
  'E28 linked worktree': [[open, 'a linked worktree is a project like others']],
  'E29 work tree elsewhere': [
    [copy, 'repositories that git cannot or will not read are copied without their history'],
  ],
  'E30 locked index': [[open, 'a lock on the index does not matter']],
  'E31 read-only project': [[disk, 'a project that can only be read is found before anything is prepared']],
  'E32 full disk while recording': [
    ['disk-full', 'fails a checkpoint in words and keeps every state and every file'],
    ['disk-full', 'restores nothing rather than half, and all of it once there is room'],
  ],
  'E33 full disk while applying': [
    [disk, 'a project on a full disk is not touched, and nothing is left on it'],
  ],
  'E34 hooks': [
    ['../git/isolation', 'starts git only isolated, or with a question; nothing that is configured runs'],
  ],
  'E35 signing': [
    ['../git/isolation', 'starts git only isolated, or with a question; nothing that is configured runs'],
  ],
  'E36 no identity': [
    ['../git/isolation', 'starts git only isolated, or with a question; nothing that is configured runs'],
  ],
  'E37 another owner': [
    ['../git/isolation', 'a repository of another user is refused with the owner and what to do'],
  ],
  'E38 inherited variables': [[isolation, 'git variables of a surrounding hook lead nowhere']],
  'E39 several at once': [
    ['several-processes', 'keeps plans on one project apart until both are in the files'],
  ],
  'E40 killed while it is made': [['leftovers', 'of making a sandbox leaves what the next use replaces']],
  'E41 killed while recording': [
    ['leftovers', 'of a checkpoint or a restore leaves every earlier state and a sandbox that goes on'],
    ['leftovers', 'of a living process is not touched, and the answer names the process'],
  ],
  'E42 deleted folder': [
    ['leftovers', 'is named, records nothing, and comes back from any state'],
    ['../../application/missing-folder', 'is made anew from what was recorded once a person says so'],
  ],
  'E43 pruned project': [[open, 'a plan lives on when the project is pruned or its history rewritten']],
  'E44 refs in the project': [
    [isolation, 'the work of a plan leaves no object, ref, worktree or setting in the repository'],
  ],
  'E45 SHA-256': [[open, 'repositories named by SHA-256 work, and so do folders with difficult names']],
  'E46 difficult names of the project': [
    [open, 'repositories named by SHA-256 work, and so do folders with difficult names'],
  ],
  'E47 a part of a repository': [[copy, 'a part of a repository, and a repository named by SHA-256, work']],
  'E48 pipes, sockets, devices': [
    [open, 'pipes in the project are passed over'],
    [copy, 'pipes and sockets are left out and named'],
  ],
  'E49 unreadable': [
    [copy, 'what cannot be read is left out, named, and stays as it is when the rest is applied'],
  ],
  'E50 folders that may not be written': [
    ['leftovers', 'folders that a program protected from writing are restored and removed'],
  ],
  'E51 ignoring ended': [
    [restore, 'a file that was brought along outlives its recording after an actor stopped ignoring it'],
    [restore, 'a new file that is ignored later stays part of what is recorded'],
  ],
  'E52 folder where a file was': [
    [restore, 'a folder where a recorded file was gives way inside the sandbox only'],
  ],
  'E53 same size, same tick': [[restore, 'a write of the same size within one tick of the clock is seen']],
  'E54 absolute paths in caches': [
    ['../confinement/confine', 'works in the sandbox, which it sees at the path of the project'],
    [
      '../../application/unconfined',
      'the plan says once that a Python environment leads to the one of the project',
    ],
  ],
  'E55 rewritten .git': [
    [isolation, 'what an actor does with git in the sandbox reaches neither the repository nor the program'],
  ],
  'E56 edits meanwhile': [
    [apply, 'a change follows a file that the plan moved and the user edited, and the other way round'],
    [apply, 'nothing is written because of $title'],
  ],
  'E57 same change': [[apply, 'the same change on both sides is no conflict and no write']],
  'E58 swapped kinds': [
    [apply, 'files, folders and links swap places'],
    [restore, 'a folder that became a link, and a file that became a folder, come back as either'],
  ],
  'E59 parent became a link': [[apply, 'nothing is written because of $title']],
  'E60 saved during the apply': [
    [
      meanwhile,
      'what an editor writes into a file that is being replaced stays, and the plan is merged into it afterwards',
    ],
  ],
  'E61 created by both': [[meanwhile, '$title is left as the user has it, and the rest is written']],
  'E62 edited before an undo': [
    [
      'apply-interrupted',
      'what somebody wrote after the kill is left alone and named, whichever way it is settled',
    ],
  ],
  'E63 two plans, one base': [[apply, 'two plans from the same start merge one after the other']],
  'E64 base moved': [
    [apply, 'commits and another branch meanwhile do not matter and are reported'],
    [
      'filesystem-copy-open',
      'a repository whose base moves meanwhile is applied to, and Apply says what moved',
    ],
  ],
  'E65 database in use': [
    [copy, 'a database in use is copied whole, with what is only in its log'],
    [
      '../databases/sqlite-copy',
      'a database in the midst of being written by another program is copied whole',
    ],
  ],
  'E66 statements that end a transaction': [
    ['../databases/sqlite-copy', '%s is refused in words'],
    ['../databases/sqlite-transaction', 'a statement that ends the transaction loses its work, says so'],
  ],
  'E67 connection dies': [
    ['../databases/sqlite-copy', 'applying twice, as after a crash before the plan heard of it'],
    ['../databases/sqlite-transaction', 'after a start of the program the work is gone and named'],
    ['../databases/postgresql', 'a connection that the server ends is named, its work is gone'],
  ],
  'E68 killed while applying': [
    [
      'apply-interrupted',
      'an apply that was killed half-way is found, says what is written, and can be finished',
    ],
    ['apply-interrupted', 'an apply that was killed half-way can be undone, to the last timestamp'],
  ],
}

test('every case of the edge table has a test that proves it', async () => {
  const numbers = Array.from({ length: 68 }, (_, index) => `E${String(index + 1).padStart(2, '0')}`)
  expect(Object.keys(proofs).map(name => name.slice(0, 3))).toEqual(numbers)
  const missing: string[] = []
  for (const [name, tests] of Object.entries(proofs))
    for (const [file, title] of tests) {
      const text = await readFile(resolve(import.meta.dirname, `${file}.test.ts`), 'utf8').catch(() => '')
      if (!text.includes(title)) missing.push(`${name}: ${file}: ${title}`)
    }
  expect(missing).toEqual([])
})
