import type { Reply } from "../../api/client.ts";

export type Relative = Reply<"/v1/tasks/{id}/lineage">["data"][number];
export type Branch = { task: Relative; children: Branch[] };

/** The tasks of a lineage as a tree; one whose parent is not kept any more begins a tree of its own. */
export function branchesOf(tasks: readonly Relative[]): Branch[] {
  const branches = new Map(tasks.map((task) => [task.id, { task, children: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const branch of branches.values()) {
    const parent = branches.get(branch.task.parent?.task ?? "");
    if (parent === undefined || parent === branch) roots.push(branch);
    else parent.children.push(branch);
  }
  return roots;
}
