namespace EventHubThroughput.Lab.Comparing;

/// <summary>The hub that a cell reads, and the sender of its events.</summary>
/// <param name="Name">The hub.</param>
/// <param name="Sender">The name of the run that its events are stamped with.</param>
/// <param name="Ledger">The record of what was sent.</param>
internal sealed record CellHub(string Name, string Sender, string Ledger);
