namespace EventHubThroughput.Strategies.Contract;

/// <summary>A strategy breaks its contract. The message names the broken part, the case, and how to repeat it.</summary>
/// <param name="message">The message.</param>
/// <param name="innerException">The exception that was thrown, if there was one.</param>
public sealed class StrategyContractException(string message, Exception? innerException = null) : Exception(message, innerException);
