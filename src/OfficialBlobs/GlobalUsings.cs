// Azure.Core has types of the same names; here they mean ours.
global using ClientOptions = EventHubThroughput.Clients.ClientOptions;
global using RetryOptions = EventHubThroughput.Clients.RetryOptions;
