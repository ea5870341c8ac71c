import type { audit as en } from "../en/audit.ts";

export const audit: Record<keyof typeof en, string> = {
  "audit.title": "审计日志",
  "audit.hint": "管理员的每一次操作，最新的在前。此处不能修改或删除。",
  "audit.none": "还没有任何操作",
  "audit.none.hint": "账户、密钥、额度、开关：每一次管理操作都会记录在这里。",
  "audit.actor": "操作者",
  "audit.act": "操作",
  "audit.subject": "对象",
  "audit.detail": "详情",
  "audit.detail.of": "{act} 的详情",
};
