namespace EventHubThroughput.Load.Wire;

/// <summary>How a library of the comparison listens, sends, and requests.</summary>
/// <param name="Listen">Starts a listener.</param>
/// <param name="Send">Creates a sender of transfers that are answered by an outcome.</param>
/// <param name="Request">Creates a sender of empty messages that are answered by an outcome and by another message.</param>
internal sealed record WireLibrary(Func<IWireListener> Listen, Func<IWireSender> Send, Func<IWireSender> Request);
