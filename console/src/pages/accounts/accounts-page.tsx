import { useParams } from "wouter";
import { AccountList } from "./account-list.tsx";
import { AccountView } from "./account-view.tsx";
import "./accounts.css";

export function AccountsPage() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <AccountList /> : <AccountView key={id} id={id} />;
}
