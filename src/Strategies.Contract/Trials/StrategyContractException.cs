namespace EventHubThroughput.Strategies.Contract;

/// <summary>A strategy breaks its contract. The message says which part of it, with what, and how to repeat it.</summary>
/// <param name="message">What is wrong.</param>
/// <param name="innerException">What was thrown, if something was.</param>
public sealed class StrategyContractException(string message, Exception? innerException = null) : Exception(message, innerException);
